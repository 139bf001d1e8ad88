import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../../apps/petstore/seeding/sample-pets.js';
import { openEventStore } from '../../../libs/adapters/eventstoredb/index.js';
import { storeIdOf } from '../../../libs/adapters/sqlite/folder/store-id.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { STREAM_PREFIXES } from '../../../libs/domain/events.js';
import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { eventually } from '../../eventually.js';
import { startCluster, type Cluster } from '../../servers/cluster.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { startPetstore, spawnStore, tokenFor, STAFF_SCOPES, runPetstore } from '../../servers/process.js';
import { endPrograms } from '../../servers/program.js';
import { snapshotOf } from '../../servers/snapshot.js';
import { missingConsequences } from '../consequences.js';
import { fillFolder } from '../fill-folder.js';
import { createSharedState, startLoad } from '../shoppers.js';
import { RequestRecorder } from '../request-recorder.js';
import { readLog } from './read-log.js';
import { waitUntilCaughtUp } from './readiness.js';
import { silentLog } from '../../silent-log.js';

const SEED = 23;
const COPIES_WITHIN = 120_000;
/** The public URL of both services. Links contain it, so the entity tags of lists depend on it. */
const PUBLIC_URL = 'http://pets.example';

type Answer = { readonly status: number; readonly etag: string | null; readonly text: string };

const readAll = async (url: string, token: string, paths: readonly string[]): Promise<Readonly<Record<string, Answer>>> => {
  const answers: Record<string, Answer> = {};
  for (const path of paths) {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    answers[path] = { status: answer.status, etag: answer.headers.get('etag'), text: await answer.text() };
  }
  return answers;
};

/** Returns an event without its position, which differs between logs. */
const withoutPosition = ({ stream, revision, id, type, data, metadata }: StoredEvent) => ({ stream, revision, id, type, data, metadata });

/**
 * Copies an embedded store of about `count` events to the distributed profile, and compares the responses of both
 * services. Proves contract 8.1 and contract 23.4.
 */
export const copyJourney = (count: number): void =>
  describe(`an embedded store of ${count} events that is copied to the distributed profile`, () => {
    let cluster: Cluster;
    beforeAll(async () => void (cluster = await startCluster({ apis: 0, workers: [], settings: { PUBLIC_URL } })), 120_000);
    afterAll(async () => {
      await endPrograms();
      await cluster.close();
      removeFolders();
    });

    it('keeps its responses, entity tags, ids, hashes and order, and accepts new writes', async () => {
      const dataDir = newFolder();
      await fillFolder(dataDir, count - 500);
      const store = await spawnStore({ dataDir, env: { LOG_LEVEL: 'warn', PUBLIC_URL } });
      const token = await tokenFor(dataDir);
      const load = startLoad({
        url: store.url,
        token,
        shoppers: 8,
        randomOf: (shopper) => createRandom(SEED + shopper),
        recorder: new RequestRecorder(),
        shared: createSharedState(),
      });
      await eventually(`${count} events`, () => snapshotOf(dataDir).events.length >= count, 60_000);
      await load.stop();
      await eventually('all follow-up work to finish', () => missingConsequences(snapshotOf(dataDir).events).length === 0, 30_000);
      const { events } = snapshotOf(dataDir);
      const idsOf = (category: string): readonly string[] => [
        ...new Set(events.filter(({ stream }) => stream.startsWith(`${category}-`)).map(({ stream }) => stream.slice(category.length + 1))),
      ];
      const paths = [
        '/v1/pets?limit=100',
        '/v1/pets?status=ALL&limit=50&page=7',
        '/v1/orders?limit=100',
        '/v1/inventories',
        ...idsOf('pet')
          .slice(-100)
          .map((id) => `/v1/pets/${id}`),
        ...idsOf('order')
          .slice(0, 100)
          .flatMap((id) => [`/v1/orders/${id}`, `/v1/orders/${id}/payment`, `/v1/orders/${id}/receipt`]),
      ];
      const before = await readAll(store.url, token, paths);
      await store.stop();

      const command = startPetstore(['copy', '--to', 'distributed'], { dataDir, env: cluster.settings });
      let code: number | null | undefined;
      void command.ended.then((exit) => (code = exit.code));
      await eventually('the end of the copy', () => code !== undefined, COPIES_WITHIN);
      expect([code, command.stderr()]).toEqual([0, expect.stringContaining(`${events.length.toLocaleString('en-US')} events`)]);

      const log = await openEventStore({
        url: cluster.eventStore.url,
        clock: systemClock,
        log: silentLog,
        streams: STREAM_PREFIXES,
      });
      expect((await log.readStream('store')).map(({ data }) => data)).toEqual([JSON.stringify({ storeId: storeIdOf(dataDir) })]);
      const copied = await readLog(log);
      await log.close();
      expect(copied.map(withoutPosition)).toEqual(events.map(withoutPosition));

      const [, api] = [await cluster.startWorker(), await cluster.startApi()];
      await waitUntilCaughtUp(api.url);
      // The keys are copied: a token of the folder is valid, and encrypted data is readable.
      expect(await readAll(api.url, token, paths)).toEqual(before);
      const shared = await runPetstore(['token', '--scope', STAFF_SCOPES], { dataDir: newFolder(), env: cluster.settings });
      const made = await fetch(`${api.url}/v1/pets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shared.stdout.trim()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'After', species: 'DOG', ageMonths: 1 }),
      });
      expect(made.status).toBe(201);
    }, 300_000);
  });
