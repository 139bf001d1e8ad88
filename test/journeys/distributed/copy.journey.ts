import { DEADLINES } from '../../deadlines.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { createRandom } from '../../../apps/petstore/seeding/sample-pets.js';
import { openEventStore } from '../../../libs/adapters/eventstoredb/index.js';
import { storeIdOf } from '../../../libs/adapters/sqlite/folder/store-id.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { STREAM_PREFIXES } from '../../../libs/domain/events.js';
import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { backUpAndRestore } from '../../deploy/mongodb-scripts.js';
import { eventually } from '../../eventually.js';
import { startCluster, type Cluster } from '../../servers/cluster.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { startPetstore, startServiceProcess, tokenFor, STAFF_SCOPES, runPetstore, type ServiceEnvironment } from '../../servers/process.js';
import { endPrograms } from '../../servers/program.js';
import { snapshotOf } from '../../servers/snapshot.js';
import { addScene, SCENE_URL } from '../accounts-scene.js';
import { addImages, observeImages } from '../image-scene.js';
import { missingConsequences } from '../consequences.js';
import { fillFolder } from '../fill-folder.js';
import { addNumbered, nextNumber, numbersOf, observeNumbers } from '../number-scene.js';
import { observeScene, useRefreshTokens } from '../scene-observation.js';
import { createSharedState, startLoad } from '../shoppers.js';
import { RequestRecorder } from '../request-recorder.js';
import { readLog } from './read-log.js';
import { waitUntilCaughtUp } from './readiness.js';
import { silentLog } from '../../silent-log.js';

const SEED = 23;
/** The public URL of both services. Links contain it, so the entity tags of lists depend on it. */
const PUBLIC_URL = SCENE_URL;

type HttpResponse = { readonly status: number; readonly etag: string | null; readonly text: string };

const readAll = async (url: string, token: string, paths: readonly string[]): Promise<Readonly<Record<string, HttpResponse>>> => {
  const responses: Record<string, HttpResponse> = {};
  for (const path of paths) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    responses[path] = { status: response.status, etag: response.headers.get('etag'), text: await response.text() };
  }
  return responses;
};

/** Rotates the keys on the servers, and removes the key of a token. Expects that the process at `url` rejects the token. */
const expectRemovalOfKey = async (url: string, token: string, env: Readonly<Record<string, string>>): Promise<void> => {
  for (const args of [
    ['rotate', '--now'],
    ['remove', '--', String(decodeProtectedHeader(token).kid)],
  ]) {
    const { code, stderr } = await runPetstore(['keys', ...args], { dataDir: newFolder(), env });
    expect([args, code, stderr]).toEqual([args, 0, '']);
  }
  await eventually('the token to be refused', async () => {
    const { status } = await fetch(`${url}/v1/inventories`, { headers: { authorization: `Bearer ${token}` } });
    return status === 401;
  });
};

/** Exports a range to a new folder. Returns the text of each file, by its name. */
const exportedFiles = async (range: readonly string[], environment: ServiceEnvironment): Promise<Readonly<Record<string, string>>> => {
  const folder = newFolder();
  const { code, stderr } = await runPetstore(['audit', 'export', '--out', folder, ...range], environment);
  expect([code, stderr]).toEqual([0, expect.stringContaining('events read')]);
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
};

/** Returns an event without its position, which differs between logs. */
const withoutPosition = ({ stream, revision, id, type, data, metadata }: StoredEvent) => ({ stream, revision, id, type, data, metadata });

/**
 * Copies an embedded store of about `count` events to the distributed profile, loses MongoDB, and restores it from a
 * backup. Compares the responses of all services. Proves contract 8.1, contract 23.4, contract 31.2, contract 31.5,
 * contract 32.5, contract 35.5, contract 37.10 and contract 39.3.
 */
export const copyJourney = (count: number): void =>
  describe(`an embedded store of ${count} events that is copied to the distributed profile`, () => {
    let cluster: Cluster;
    beforeAll(async () => void (cluster = await startCluster({ apis: 0, workers: [], settings: { PUBLIC_URL } })));
    afterAll(async () => {
      await endPrograms();
      await cluster.close();
      removeFolders();
    });

    it('keeps its responses, entity tags, ids, hashes and order, also when MongoDB is restored, and accepts new writes', async () => {
      const dataDir = newFolder();
      await fillFolder(dataDir, count - 500);
      const service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn', PUBLIC_URL } });
      const token = await tokenFor(dataDir);
      const scene = await addScene({ url: service.url, operator: token });
      const seen = await observeScene({ url: service.url, operator: token }, scene);
      const images = await addImages(service.url, token);
      const shown = await observeImages(service.url, images);
      await addNumbered(service.url, token);
      const numbered = await observeNumbers(service.url, token);
      const load = startLoad({
        url: service.url,
        token,
        shoppers: 8,
        randomOf: (shopper) => createRandom(SEED + shopper),
        recorder: new RequestRecorder(),
        shared: createSharedState(),
      });
      await eventually(`${count} events`, () => snapshotOf(dataDir).events.length >= count);
      await load.stop();
      await eventually('all follow-up work to finish', () => missingConsequences(snapshotOf(dataDir).events).length === 0);
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
      const before = await readAll(service.url, token, paths);
      const range = ['--to', new Date().toISOString()];
      await service.stop();
      // The service signs a checkpoint when it stops.
      const exported = await exportedFiles(range, { dataDir });
      const stored = snapshotOf(dataDir).events;

      const command = startPetstore(['copy', '--to', 'distributed'], { dataDir, env: cluster.settings });
      let code: number | null | undefined;
      void command.ended.then((exit) => (code = exit.code));
      await eventually('the end of the copy', () => code !== undefined, DEADLINES.slow);
      expect([code, command.stderr()]).toEqual([0, expect.stringContaining(`${stored.length.toLocaleString('en-US')} events`)]);

      const log = await openEventStore({
        url: cluster.eventStore.url,
        clock: systemClock,
        log: silentLog,
        streams: STREAM_PREFIXES,
      });
      expect((await log.readStream('store')).map(({ data }) => data)).toEqual([JSON.stringify({ storeId: storeIdOf(dataDir) })]);
      const copied = await readLog(log);
      await log.close();
      expect(copied.map(withoutPosition)).toEqual(stored.map(withoutPosition));

      const [worker, api] = [await cluster.startWorker(), await cluster.startApi()];
      await waitUntilCaughtUp(api.url);
      // The keys are copied: a token of the folder is valid, and encrypted data is readable.
      expect(await readAll(api.url, token, paths)).toEqual(before);
      expect(await observeScene({ url: api.url, operator: token }, scene)).toEqual(seen);
      expect(await observeImages(api.url, images)).toEqual(shown);
      expect(numbersOf(numbered)).toHaveLength(6);
      expect(await observeNumbers(api.url, token)).toEqual(numbered);

      await Promise.all([worker.close(), api.close()]);
      // The checkpoints of the folder match the copy, which has other positions (contract 35.2).
      const audit = await runPetstore(['audit', 'verify'], { dataDir: newFolder(), env: cluster.settings });
      expect(audit).toMatchObject({ code: 0, stdout: expect.stringContaining('The log is whole') });
      expect(await exportedFiles(range, { dataDir: newFolder(), env: cluster.settings })).toEqual(exported);
      expect(await backUpAndRestore(cluster.mongod.url)).toMatch(/^wrote \d{2,} documents to MongoDB$/);
      const [, restored] = [await cluster.startWorker(), await cluster.startApi()];
      await waitUntilCaughtUp(restored.url);
      expect(await readAll(restored.url, token, paths)).toEqual(before);
      expect(await observeScene({ url: restored.url, operator: token }, scene)).toEqual(seen);
      expect(await observeImages(restored.url, images)).toEqual(shown);
      expect(await observeNumbers(restored.url, token)).toEqual(numbered);
      expect(numbersOf(numbered)).not.toContain(await nextNumber(restored.url, token));
      await useRefreshTokens(restored.url, scene);
      const shared = await runPetstore(['token', '--scope', STAFF_SCOPES], { dataDir: newFolder(), env: cluster.settings });
      const made = await fetch(`${restored.url}/v1/pets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shared.stdout.trim()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'After', species: 'DOG', ageMonths: 1 }),
      });
      expect(made.status).toBe(201);
      await expectRemovalOfKey(restored.url, shared.stdout.trim(), cluster.settings);
    });
  });
