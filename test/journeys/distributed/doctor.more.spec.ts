import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigResourceTypes, Kafka, logLevel, type Admin } from 'kafkajs';
import { clientForTest } from '../../contract/mongo.js';
import { eventually } from '../../eventually.js';
import { caller, type Call } from '../../servers/calling.js';
import type { StuckList } from '../../../apps/api/ops/stuck/stuck.dto.js';
import type { Cluster, Member } from '../../servers/cluster.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { runPetstore } from '../../servers/process.js';
import { endPrograms } from '../../servers/program.js';
import { freePorts } from '../../servers/services/free-ports.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { openSession, startClusterIfAvailable } from './journey.js';

const NAME = 'the doctor of several machines';
const TOPIC = 'petstore.orders.v1';
const PET = { name: 'Rex', species: 'DOG', ageMonths: 3 };
/** Milliseconds in which a lag of a minute is reached and shown. */
const LAG = 120_000;

type Checkup = {
  readonly exitCode: number;
  readonly note?: string;
  readonly findings: readonly { readonly finding: string; readonly text: string }[];
};

describeIfAvailable(
  NAME,
  await startClusterIfAvailable({ apis: 1, workers: ['projections,relay,consumers,deliveries,timers'], settings: { LOG_LEVEL: 'warn' } }),
  (cluster: Cluster) => {
    /** Proves contract 43.10. */
    describe(NAME, () => {
      let admin: Admin;
      let call: Call;
      let worker: Member;
      beforeAll(async () => {
        admin = new Kafka({ brokers: cluster.kafka.brokers.split(','), logLevel: logLevel.NOTHING }).admin();
        await admin.connect();
        const { token } = await openSession(cluster);
        call = caller(cluster.apis[0]?.url ?? '', token);
        expect((await call('POST', '/v1/pets', { body: PET })).status).toBe(201);
      });
      afterAll(async () => {
        await admin.disconnect();
        await endPrograms();
        await cluster.close();
        removeFolders();
      });

      const doctor = async (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Checkup> => {
        const ports = { PORT: String(await freePorts()), WORKER_PORT: String(await freePorts()) };
        const { code, stdout, stderr } = await runPetstore(['doctor', '--json', ...args], {
          dataDir: newFolder(),
          env: { ...cluster.settings, ...ports, ...env },
        });
        expect(stderr.replaceAll(/^\{.*\n/gm, '')).toBe('');
        const checkup = JSON.parse(stdout) as Checkup;
        expect(checkup.exitCode).toBe(code);
        return checkup;
      };
      const found = ({ exitCode, findings }: Checkup) => ({ exitCode, found: findings.map(({ finding }) => finding) });
      const setRetention = (value: string): Promise<unknown> =>
        admin.alterConfigs({
          validateOnly: false,
          resources: [
            {
              type: ConfigResourceTypes.TOPIC,
              name: TOPIC,
              configEntries: [
                { name: 'retention.ms', value },
                { name: 'max.message.bytes', value: '2097152' },
              ],
            },
          ],
        });

      it('finds nothing while all is well, through an api and on the servers themselves', async () => {
        const healthy = { exitCode: 0, found: [] };
        await eventually('a healthy store', async () => (await doctor()).findings.length === 0);
        expect(found(await doctor(['--url', cluster.apis[0]?.url ?? '']))).toEqual(healthy);
        const worker = new URL(cluster.workers[0]?.url ?? '');
        expect(found(await doctor([], { WORKER_PORT: worker.port }))).toEqual(healthy);
      });

      it('changes nothing in an empty database', async () => {
        const url = new URL(cluster.settings['MONGODB_URL'] ?? '');
        url.pathname = '/nothing';
        const { exitCode, findings, note } = await doctor([], { MONGODB_URL: url.href });
        expect({ exitCode, findings, note }).toEqual({ exitCode: 0, findings: [], note: 'There is no store on these servers yet.' });
        expect(await clientForTest(url.href).db('nothing').listCollections().toArray()).toEqual([]);
      });

      it('finds a topic whose messages are deleted', async () => {
        await setRetention('60000');
        const { exitCode, findings } = await doctor();
        expect([exitCode, findings]).toEqual([
          5,
          [expect.objectContaining({ finding: 'topic-differs', text: expect.stringContaining(`topic ${TOPIC}: retention.ms is 60000`) })],
        ]);
        await setRetention('-1');
        expect(found(await doctor()).exitCode).toBe(0);
      });

      it('finds that Kafka is away, and each other server', async () => {
        const nobody = await freePorts();
        const away = await doctor([], { KAFKA_BROKERS: `127.0.0.1:${nobody}` });
        expect(found(away)).toEqual({ exitCode: 5, found: ['server-away'] });
        expect(away.findings[0]?.text).toMatch(/^Kafka does not answer: /);
        const log = await doctor([], { EVENTSTOREDB_URL: `esdb://127.0.0.1:${nobody}?tls=false` });
        expect([found(log), log.findings[0]?.text]).toEqual([
          { exitCode: 5, found: ['server-away'] },
          expect.stringMatching(/^EventStoreDB does not answer: /),
        ]);
        const database = await doctor([], { MONGODB_URL: `mongodb://127.0.0.1:${nobody}/?replicaSet=rs0&serverSelectionTimeoutMS=2000` });
        expect([found(database), database.findings[0]?.text]).toEqual([
          { exitCode: 5, found: ['server-away'] },
          expect.stringMatching(/^MongoDB does not answer: /),
        ]);
      });

      it('finds a worker that lags', async () => {
        await Promise.all(cluster.workers.map((running) => running.close()));
        expect((await call('POST', '/v1/pets', { body: PET })).status).toBe(201);
        await eventually(
          'the lag',
          async () => {
            const { exitCode, findings } = await doctor();
            const lagging = findings.filter(({ finding }) => finding === 'read-model-behind' || finding === 'consumer-behind');
            return exitCode === 1 && lagging.length > 0 && lagging.length === findings.length;
          },
          LAG,
        );
        worker = await cluster.startWorker();
        await eventually('the worker to catch up', async () => (await doctor()).exitCode === 0);
      });

      it('finds an order that waits because no worker publishes its payment', async () => {
        await worker.close();
        const pet = await call('POST', '/v1/pets', { body: PET });
        const order = await call('POST', '/v1/orders', { body: { petId: pet.json['id'] } });
        const source = { object: 'card', number: '4242424242424242', expMonth: 12, expYear: 2090 };
        const path = `/v1/orders/${String(order.json['id'])}`;
        const payment = await call('POST', `${path}/payment`, { body: { amount: '5.00', currency: 'USD', source } });
        expect(payment.status).toBe(201);
        const { items } = (await call('GET', '/v1/ops/stuck?olderThan=0')).json as unknown as StuckList;
        expect(items).toEqual([
          expect.objectContaining({
            kind: 'payment-processing',
            stream: `order-${String(order.json['id'])}`,
            related: [`payment-${String(payment.json['id'])}`],
            cause: 'not-published',
            why: expect.stringMatching(/^the relay has not published PaymentRequested, revision 0 of payment-/),
          }),
        ]);
        await cluster.startWorker();
        await eventually('the approval', async () => (await call('GET', path)).json['status'] === 'approved');
        await eventually('nothing to be stuck', async () => (await call('GET', '/v1/ops/stuck?olderThan=0')).json['count'] === 0);
      });
    });
  },
);
