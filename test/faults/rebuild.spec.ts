import { afterEach, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { fillFolder } from '../journeys/fill-folder.js';
import { differencesFromReplay } from '../journeys/replay.js';
import { say } from '../journeys/print-line.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { beginCommand, petstore } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';

const ROUNDS = Math.ceil(Number(process.env['FAULT_ROUNDS'] ?? 50) / 5);
const SEED = Number(process.env['FAULT_SEED'] ?? 7);
const PETS = 40_000;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

const linesOf = (text: string): number => text.split('%').length - 1;

describe('a rebuild that is ended again and again', () => {
  it(
    `gets there in the end, ${ROUNDS} times`,
    async () => {
      say(`rebuild, ended ${ROUNDS} times, seed ${SEED}`);
      const random = createRandom(SEED);
      const dataDir = newFolder();
      await fillFolder(dataDir, PETS);
      for (let round = 1; round <= ROUNDS; round++) {
        const rebuild = beginCommand(['projections', 'rebuild'], { dataDir });
        const lines = 1 + Math.floor(random() * 4);
        await eventually(`${lines} lines of progress`, () => linesOf(rebuild.stderr()) >= lines);
        rebuild.signal(random() < 0.5 ? 'SIGKILL' : 'SIGINT');
        await rebuild.ended;
        expect((await petstore(['projections', 'rebuild'], { dataDir })).code).toBe(0);
        expect(differencesFromReplay(snapshotOf(dataDir))).toEqual([]);
      }
    },
    ROUNDS * 60_000,
  );
});
