import { afterEach, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { endPrograms } from '../servers/program.js';
import { killRepeatedly } from '../journeys/kill-rounds.js';
import { say } from '../journeys/say.js';

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 50);
/** Another FAULT_SEED tries other moments. */
const SEED = Number(process.env['FAULT_SEED'] ?? 7);

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

describe('a store that is killed again and again', () => {
  it(
    `keeps every promise, and finishes what it began, ${ROUNDS} times`,
    async () => {
      say(`kill -9, ${ROUNDS} times, seed ${SEED}`);
      const report = await killRepeatedly({ dataDir: newFolder(), rounds: ROUNDS, seed: SEED, slowEvery: 3 });
      say(JSON.stringify(report));
      expect(Math.min(...report.inFlight)).toBeGreaterThan(0);
      // Some had been written when their caller was left without a word: the kills landed in the middle of things.
      expect(Math.max(...report.writtenUnanswered)).toBeGreaterThan(0);
    },
    ROUNDS * 20_000,
  );
});
