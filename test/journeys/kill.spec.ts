import { afterEach, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { endPrograms } from '../servers/program.js';
import { say } from './say.js';
import { killRepeatedly } from './kill-rounds.js';

const ROUNDS = 10;
const SEED = 20_260_102;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

describe('a store that is killed at random moments under load', () => {
  it('keeps every promise, and finishes what it began', async () => {
    const report = await killRepeatedly({ dataDir: newFolder(), rounds: ROUNDS, seed: SEED, slowEvery: 4 });
    say(`kill -9, ${ROUNDS} times, seed ${SEED}: ${JSON.stringify(report)}`);
    // A kill that meets nobody proves nothing.
    expect(Math.min(...report.inFlight)).toBeGreaterThan(0);
    // Some had been written when their caller was left without a word: the kills landed in the middle of things.
    expect(Math.max(...report.writtenUnanswered)).toBeGreaterThan(0);
  }, 120_000);
});
