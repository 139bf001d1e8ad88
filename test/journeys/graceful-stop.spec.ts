import { afterEach, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { holdRequest } from '../servers/held-request.js';
import { startPetstore, waitUntilReady, spawnStore, tokenFor, type StoreProcess } from '../servers/process.js';
import { endPrograms, startProgram } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';
import { createSharedState, startLoad, type Load } from './shoppers.js';
import { expectAnswersMatchLog, listedNames } from './answers-match-log.js';
import { lostChanges, RequestRecorder } from './request-recorder.js';

const SEED = 3;
/** The number of stops right after a start. A single stop could be too late by chance. */
const EARLY_STOPS = 5;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

const startLoadOn = ({ url }: StoreProcess, token: string, recorder: RequestRecorder): Load =>
  startLoad({ url, token, shoppers: 8, randomOf: (shopper) => createRandom(SEED + shopper), recorder, shared: createSharedState() });

const petNamed = (name: string) => ({ name, species: 'CAT', ageMonths: 3 });

const holdRequests = (store: StoreProcess, token: string, names: readonly string[]) =>
  Promise.all(names.map((name) => holdRequest(store.url, '/v1/pets', token, petNamed(name))));

const NAMES = ['Accepted One', 'Accepted Two', 'Accepted Three'];

/** Proves contract 26.4. */
describe('a service that receives a stop signal under load', () => {
  it('answers every accepted request, exits with 0, and loses nothing', async () => {
    const dataDir = newFolder();
    const store = await spawnStore({ dataDir });
    const token = await tokenFor(dataDir);
    const recorder = new RequestRecorder();
    const load = startLoadOn(store, token, recorder);
    await load.after(200, 'answered');
    const held = await holdRequests(store, token, NAMES);

    store.signal('SIGTERM');
    await eventually('the log line of the stop', () => /stopping/.test(store.stderr()));
    expect(await Promise.all(held.map((request) => request.finish()))).toEqual([201, 201, 201]);
    await load.finished;
    expect(await store.ended).toEqual({ code: 0, signal: null });

    expectAnswersMatchLog(dataDir, recorder);
    expect(listedNames(snapshotOf(dataDir).events)).toEqual(expect.arrayContaining(NAMES));

    const again = await spawnStore({ dataDir });
    expect(await lostChanges(recorder, caller(again.url, token))).toEqual([]);
    expect(await again.stop()).toEqual({ code: 0, signal: null });
  }, 60_000);

  it('also answers every accepted request after Ctrl-C, which signals the whole process group of npm start', async () => {
    const dataDir = newFolder();
    const env = { DATA_DIR: dataDir, PORT: '0', RATE_LIMIT: 'off' };
    const store = await waitUntilReady(startProgram('node', ['scripts/run.mjs', 'start'], { env, detached: true }));
    const token = await tokenFor(dataDir);
    const recorder = new RequestRecorder();
    const load = startLoadOn(store, token, recorder);
    await load.after(100, 'answered');
    const held = await holdRequests(store, token, NAMES);

    store.signal('SIGINT', 'group');
    await eventually('the log line of the stop', () => /stopping/.test(store.stderr()));
    expect(await Promise.all(held.map((request) => request.finish()))).toEqual([201, 201, 201]);
    await load.finished;
    expect(await store.ended).toEqual({ code: 0, signal: null });
    expectAnswersMatchLog(dataDir, recorder);
    expect(listedNames(snapshotOf(dataDir).events)).toEqual(expect.arrayContaining(NAMES));
  }, 60_000);

  it('stops gracefully right after it has printed that it is open', async () => {
    for (let time = 1; time <= EARLY_STOPS; time++) {
      const store = startPetstore(['start'], { dataDir: newFolder() });
      await eventually('the line with the address', () => store.stdout().includes('open at'), 30_000);
      store.signal('SIGTERM');
      expect(await store.ended).toEqual({ code: 0, signal: null });
    }
  }, 60_000);
});
