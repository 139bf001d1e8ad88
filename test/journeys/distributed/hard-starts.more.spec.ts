import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEventStore } from '../../../libs/adapters/eventstoredb/index.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { encodedEvent } from '../../contract/event-store.contract.js';
import { eventually } from '../../eventually.js';
import { caller, type Call } from '../../servers/calling.js';
import type { Member } from '../../servers/cluster.js';
import { startPetstore, runPetstore } from '../../servers/process.js';
import { freePorts } from '../../servers/services/free-ports.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { openSession, startClusterIfAvailable } from './journey.js';
import { readinessOf } from './readiness.js';
import { silentLog } from '../../silent-log.js';
const NAME = 'a worker that starts without Kafka, on a log that contains events of another application';

describeIfAvailable(
  NAME,
  await startClusterIfAvailable({ apis: 1, workers: [], settings: { LOG_LEVEL: 'warn', WRITE_WAIT: 'off' } }),
  (cluster) => {
    /** Proves contract 24.7 and contract 25.2. */
    describe(NAME, () => {
      let call: Call;
      let worker: Member;

      beforeAll(async () => {
        const { token } = await openSession(cluster);
        call = caller(cluster.apis[0]?.url ?? '', token);
        await cluster.kafka.kill();
        const others = await openEventStore({ url: cluster.eventStore.url, clock: systemClock, log: silentLog });
        const event = { ...encodedEvent(), metadata: '' };
        await others.append('smoke-test', 'none', [event]);
        await others.close();
      });
      afterAll(() => cluster.close());

      it.each([
        ['api', 'PORT'],
        ['worker', 'WORKER_PORT'],
      ])('reports that the port of the %s is in use', async (kind, setting) => {
        const port = Number(new URL(cluster.apis[0]?.url ?? '').port);
        const rejected = await runPetstore([kind], { dataDir: '', env: { ...cluster.settings, [setting]: String(port) } });
        expect(rejected).toMatchObject({
          code: 2,
          stderr: `port ${port} on 127.0.0.1 is in use: choose another, for example ${setting}=${port + 1}\n`,
        });
      });

      it('stops gracefully on a signal during its start', async () => {
        const port = await freePorts();
        const starting = startPetstore(['worker'], { dataDir: '', env: { ...cluster.settings, WORKER_PORT: String(port) } });
        const get = (path: string) => fetch(`http://127.0.0.1:${port}/health/${path}`).catch(() => null);
        await eventually('the worker to be live', async () => (await get('live'))?.ok === true);
        expect(await (await get('ready'))?.json()).toEqual({ status: 'error', reason: 'the worker has not started yet' });
        starting.signal('SIGTERM');
        expect(await starting.ended).toEqual({ code: 0, signal: null });
      });

      it('projects events without Kafka', async () => {
        const body = { name: 'Rex', species: 'DOG', ageMonths: 3, status: 'AVAILABLE' };
        const listed = await call('POST', '/v1/pets', { body });
        worker = await cluster.startWorker();
        const address = `/v1/pets/${String(listed.json['id'])}`;
        await eventually('the pet to be visible', async () => (await call('GET', address)).status === 200);
      });

      type Server = { readonly status: string; readonly since?: string; readonly waiting?: string };
      type Health = { readonly status: string; readonly servers: Readonly<Record<string, Server>>; readonly consumers: object | null };
      const healthOf = async (): Promise<Health & Record<'behind' | 'behindSeconds', Record<string, number>>> =>
        (await (await fetch(`${worker.url}/health/ready`)).json()) as never;

      it('names Kafka, since when it is away, and what waits', async () => {
        const { status, servers, consumers, behind, behindSeconds } = await healthOf();
        expect([status, consumers]).toEqual(['degraded', null]);
        expect(servers).toEqual({
          eventstore: { status: 'up' },
          mongodb: { status: 'up' },
          kafka: {
            status: 'down',
            since: expect.stringMatching(/^\d{4}-.*Z$/),
            waiting: 'publishing, charges, approvals and webhooks wait',
          },
        });
        // A pet was listed, and the store has recorded some events of its own. Positions would be hundreds.
        expect(behind['relay']).toBeGreaterThan(0);
        expect(behind['relay']).toBeLessThan(20);
        expect(behindSeconds['relay']).toBeGreaterThan(0);
        // `since` stays: it is not the time of the last check.
        const since = Date.parse(servers['kafka']?.since ?? '');
        await eventually('another check', () => Date.now() > since + 3_000);
        expect((await healthOf()).servers['kafka']).toEqual(servers['kafka']);
      });

      it('publishes and consumes once Kafka is available', async () => {
        await cluster.kafka.restart();
        const behind = async (): Promise<number | null | undefined> => (await readinessOf(worker.url)).behind['relay'];
        await eventually('everything to be published', async () => (await behind()) === 0);
        await eventually('Kafka to be up', async () => (await healthOf()).status === 'ok');
        expect((await healthOf()).servers['kafka']).toEqual({ status: 'up' });
        const body = { name: 'Rex', species: 'DOG', ageMonths: 3, status: 'AVAILABLE', price: '10.00', currency: 'USD' };
        const listed = await call('POST', '/v1/pets', { body });
        const ordered = await call('POST', '/v1/orders', { body: { petId: listed.json['id'] } });
        const order = `/v1/orders/${String(ordered.json['id'])}`;
        const source = { object: 'bank_account', number: '000123456789', sortCode: '110000', name: 'Banked Payer' };
        expect((await call('POST', `${order}/payment`, { body: { amount: '10.00', currency: 'USD', source } })).status).toBe(201);
        await eventually('the order to be approved', async () => (await call('GET', order)).json['status'] === 'approved');
      });
    });
  },
);
