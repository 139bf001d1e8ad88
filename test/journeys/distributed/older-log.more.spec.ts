import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEventStore } from '../../../libs/adapters/eventstoredb/index.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { createLog } from '../../../apps/petstore/logging/log.js';
import { contracts, topicsOf } from '../../../libs/contracts/contracts.js';
import { clientForTest } from '../../contract/mongo.js';
import { collectionsOfBackup } from '../../deploy/collections-of-backup.js';
import { eventually } from '../../eventually.js';
import { caller, type Call } from '../../servers/calling.js';
import type { Member } from '../../servers/cluster.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { runPetstore } from '../../servers/process.js';
import { endPrograms, type ProgramResult } from '../../servers/program.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { freePorts } from '../../servers/services/free-ports.js';
import { deleteTopics } from './delete-topics.js';
import { openSession, startClusterIfAvailable } from './journey.js';

const NAME = 'an older log under newer read models';
const REJECTED = 2;
const folder = newFolder();
const found = await startClusterIfAvailable({ apis: 1, workers: [], folder, settings: { LOG_LEVEL: 'warn', WRITE_WAIT: '20s' } });

type Readiness = { readonly reason?: string; readonly behind?: Readonly<Record<string, number | null>> };
type ApiReadiness = { readonly info: { readonly store: Readonly<Record<string, unknown>> & Pick<Readiness, 'behind'> } };

const readiness = async <T>(url: string): Promise<T> => (await (await fetch(`${url}/health/ready`)).json()) as T;

describeIfAvailable(NAME, found, (cluster) => {
  /** Proves contract 24.9. */
  describe(NAME, () => {
    const data = join(folder, 'event-store', 'data');
    const older = join(newFolder(), 'older');
    let api: Member;
    let worker: Member;
    let call: Call;
    const list = async (name: string): Promise<string> => {
      const { status, json } = await call('POST', '/v1/pets', { body: { name, species: 'DOG', ageMonths: 3 } });
      expect(status).toBe(201);
      return `/v1/pets/${String(json['id'])}`;
    };
    const untilSettled = () =>
      eventually('no lag', async () =>
        Object.values((await readiness<Readiness>(worker.url)).behind ?? { none: 1 }).every((lag) => lag === 0),
      );
    const startRejected = async (kind: 'api' | 'worker'): Promise<ProgramResult> => {
      const ports = { PORT: String(await freePorts()), WORKER_PORT: String(await freePorts()) };
      return runPetstore([kind], { dataDir: newFolder(), env: { ...cluster.settings, ...ports } });
    };
    const startAgain = async (): Promise<void> => {
      worker = await cluster.startWorker();
      api = await cluster.startApi();
      call = caller(api.url, (await openSession(cluster)).token);
    };
    /** Puts the older log back while the processes run. */
    const putBack = async (): Promise<void> => {
      await cluster.eventStore.stop();
      rmSync(data, { recursive: true });
      cpSync(older, data, { recursive: true });
      await cluster.eventStore.restart();
    };

    beforeAll(async () => {
      await startAgain();
      await list('Early');
      await untilSettled();
      await cluster.eventStore.stop();
      cpSync(data, older, { recursive: true });
      await cluster.eventStore.restart();
    });
    afterAll(async () => {
      await endPrograms();
      await cluster.close();
      removeFolders();
    });

    it('stops the writes, and health says why', async () => {
      await list('Late');
      await untilSettled();
      await putBack();
      const health = () => readiness<ApiReadiness>(api.url).then(({ info }) => info.store);
      const store = await eventually('the api to notice it', async () => {
        const now = await health();
        return now['reason'] === undefined ? null : now;
      });
      expect(store).toMatchObject({ writable: false, log: 'up' });
      expect(store['reason']).toMatch(/^the log ends at position \d+, but the reader \S+ has handled events up to position \d+$/);
      expect(Object.values(store.behind ?? {})).toContain(null);
      const { status, headers } = await call('POST', '/v1/pets', { body: { name: 'Never', species: 'DOG', ageMonths: 3 } });
      expect([status, headers['retry-after']]).toEqual([503, expect.any(String)]);
      await eventually('the worker to notice it', async () =>
        /^the log ends at/.test((await readiness<Readiness>(worker.url)).reason ?? ''),
      );
    });

    it.each(['api', 'worker'] as const)('rejects the start of the %s, with the remedy', async (kind) => {
      expect(await startRejected(kind)).toMatchObject({
        code: REJECTED,
        stderr: expect.stringMatching(/^EVENTSTOREDB_URL: the log ends at position .* Put back the newer log\. .*deploy\/runbook\.md/),
      });
    });

    it('rejects the start also when the log has grown beyond the read models', async () => {
      await Promise.all([api.stop(), worker.stop()]);
      const log = await openEventStore({ url: cluster.settings['EVENTSTOREDB_URL'] ?? '', clock: systemClock, log: createLog('silent') });
      for (let revision = 0; revision < 50; revision++) {
        const event = { id: `0190a6b2-0000-7000-8000-0000000000${String(revision + 10)}`, type: 'Foreign', data: '{}', metadata: '{}' };
        await log.append('pet-foreign', revision === 0 ? 'none' : revision - 1, [event]);
      }
      await log.close();
      expect(await startRejected('api')).toMatchObject({
        code: REJECTED,
        stderr: expect.stringMatching(/^EVENTSTOREDB_URL: the log does not have the event \S+ at position \d+, which the reader/),
      });
      await putBack();
    });

    it('is served once the read models are dropped and the topics deleted, as the runbook says', async () => {
      const database = clientForTest(cluster.settings['MONGODB_URL'] ?? '').db('petstore');
      const kept = collectionsOfBackup();
      const dropped = (await database.listCollections().toArray()).filter(
        ({ name }) => !kept.includes(name) && !name.startsWith('system.'),
      );
      for (const { name } of dropped) await database.dropCollection(name);
      await deleteTopics(cluster, topicsOf(contracts));
      await startAgain();
      const path = await list('New');
      expect((await call('GET', path)).json).toMatchObject({ name: 'New' });
      await untilSettled();
      const { json } = await call('GET', '/v1/pets');
      expect((json['data'] as readonly { name: string }[]).map(({ name }) => name).toSorted()).toEqual(['Early', 'New']);
      const history = (await readiness<ApiReadiness>(api.url)).info.store['history'];
      expect(history).toBe('intact');
    });
  });
});
