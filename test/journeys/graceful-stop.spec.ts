import { afterEach, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { holdRequest } from '../servers/held-request.js';
import { beginCommand, readyStore, spawnStore, tokenFor, type StoreProcess } from '../servers/process.js';
import { endPrograms, startProgram } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';
import { openMarket, startLoad, type Load } from './shoppers.js';
import { expectToldAndDone, listedNames } from './answers-match-log.js';
import { brokenPromises, Witness } from './request-recorder.js';

const SEED = 3;
/** Stops right after a start; one alone may come late enough by chance. */
const TIMES_AT_ONCE = 5;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

const loadOn = ({ url }: StoreProcess, token: string, witness: Witness): Load =>
  startLoad({ url, token, shoppers: 8, randomOf: (shopper) => createRandom(SEED + shopper), witness, market: openMarket() });

const petNamed = (name: string) => ({ name, species: 'CAT', ageMonths: 3 });

const accepted = (store: StoreProcess, token: string, names: readonly string[]) =>
  Promise.all(names.map((name) => holdRequest(store.url, '/v1/pets', token, petNamed(name))));

const NAMES = ['Accepted One', 'Accepted Two', 'Accepted Three'];

describe('a store that is asked to stop under load', () => {
  it('answers all that it accepted, ends with 0, and has lost nothing', async () => {
    const dataDir = newFolder();
    const store = await spawnStore({ dataDir });
    const token = await tokenFor(dataDir);
    const witness = new Witness();
    const load = loadOn(store, token, witness);
    await load.after(200, 'answered');
    const held = await accepted(store, token, NAMES);

    store.signal('SIGTERM');
    await eventually('the word that it is stopping', () => /stopping/.test(store.stderr()));
    expect(await Promise.all(held.map((request) => request.finish()))).toEqual([201, 201, 201]);
    await load.over;
    expect(await store.ended).toEqual({ code: 0, signal: null });

    expectToldAndDone(dataDir, witness);
    expect(listedNames(snapshotOf(dataDir).events)).toEqual(expect.arrayContaining(NAMES));

    const again = await spawnStore({ dataDir });
    expect(await brokenPromises(witness, caller(again.url, token))).toEqual([]);
    expect(await again.stop()).toEqual({ code: 0, signal: null });
  }, 60_000);

  it('stops as well by Ctrl-C, which the whole process group of npm start hears', async () => {
    const dataDir = newFolder();
    const env = { DATA_DIR: dataDir, PORT: '0', RATE_LIMIT: 'off' };
    const store = await readyStore(startProgram('node', ['scripts/run.mjs', 'start'], { env, detached: true }));
    const token = await tokenFor(dataDir);
    const witness = new Witness();
    const load = loadOn(store, token, witness);
    await load.after(100, 'answered');
    const held = await accepted(store, token, NAMES);

    store.signal('SIGINT', 'group');
    await eventually('the word that it is stopping', () => /stopping/.test(store.stderr()));
    expect(await Promise.all(held.map((request) => request.finish()))).toEqual([201, 201, 201]);
    await load.over;
    expect(await store.ended).toEqual({ code: 0, signal: null });
    expectToldAndDone(dataDir, witness);
    expect(listedNames(snapshotOf(dataDir).events)).toEqual(expect.arrayContaining(NAMES));
  }, 60_000);

  it('stops in good order as soon as it has said that it is open', async () => {
    for (let time = 1; time <= TIMES_AT_ONCE; time++) {
      const store = beginCommand(['start'], { dataDir: newFolder() });
      await eventually('the words that it is open', () => store.stdout().includes('open at'));
      store.signal('SIGTERM');
      expect(await store.ended).toEqual({ code: 0, signal: null });
    }
  }, 60_000);
});
