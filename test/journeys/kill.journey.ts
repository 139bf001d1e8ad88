import { afterEach, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { endPrograms } from '../servers/program.js';
import { killRepeatedly, MOST_FOR_ONE } from './kill-rounds.js';
import { say } from './print-line.js';

/** Kills a store so many times under load, or a few more. Another seed tries other moments. */
export const killJourney = (rounds: number, seed: number): void => {
  afterEach(async () => {
    await endPrograms();
    removeFolders();
  });

  describe('a store that is killed at random moments under load', () => {
    it(
      `keeps every promise, and finishes what it began, ${rounds} times or more`,
      async () => {
        say(`kill -9, ${rounds} times, seed ${seed}`);
        const report = await killRepeatedly({ dataDir: newFolder(), rounds, seed });
        say(JSON.stringify(report));
        // A kill that meets nobody proves nothing.
        expect(Math.min(...report.inFlight)).toBeGreaterThan(0);
        // Some had been written when their caller was left without a word: the kills landed in the middle of things.
        expect(Math.max(...report.writtenUnanswered)).toBeGreaterThan(0);
      },
      rounds * MOST_FOR_ONE * 20_000,
    );
  });
};
