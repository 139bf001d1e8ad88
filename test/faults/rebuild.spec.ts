import { afterEach, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import { fillFolder } from '../journeys/fill-folder.js';
import { differencesFromReplay } from '../journeys/replay.js';
import { printLine } from '../print-line.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startPetstore, runPetstore } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';

const ROUNDS = Math.ceil(Number(process.env['FAULT_ROUNDS'] ?? 50) / 5);
const SEED = Number(process.env['FAULT_SEED'] ?? 7);
const PETS = 40_000;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

const progressLinesIn = (text: string): number => text.split('%').length - 1;

/** Proves contract 24.3. */
describe('a rebuild that is interrupted repeatedly', () => {
  it(`completes after each interruption, ${ROUNDS} times`, async () => {
    printLine(`rebuild, interrupted ${ROUNDS} times, seed ${SEED}`);
    const random = createRandom(SEED);
    const dataDir = newFolder();
    await fillFolder(dataDir, PETS);
    for (let round = 1; round <= ROUNDS; round++) {
      const rebuild = startPetstore(['projections', 'rebuild'], { dataDir });
      const lines = 1 + Math.floor(random() * 4);
      await eventually(`${lines} lines of progress`, () => progressLinesIn(rebuild.stderr()) >= lines);
      rebuild.signal(random() < 0.5 ? 'SIGKILL' : 'SIGINT');
      await rebuild.ended;
      expect((await runPetstore(['projections', 'rebuild'], { dataDir })).code).toBe(0);
      expectInvariant('the read models equal a replay', differencesFromReplay(snapshotOf(dataDir)));
    }
  });
});
