import { afterEach, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { endPrograms } from '../servers/program.js';
import { killRepeatedly } from './kill-rounds.js';
import { printLine } from '../print-line.js';

/** Tests a service that is killed repeatedly under load. The seed determines the moments. */
export const killJourney = (rounds: number, seed: number): void => {
  afterEach(async () => {
    await endPrograms();
    removeFolders();
  });

  /** Proves contract 9.5, contract 23.4, contract 24.1, contract 24.2, contract 24.3 and contract 24.8. */
  describe('a service that is killed at random moments under load', () => {
    it(`loses no acknowledged change and finishes all follow-up work, ${rounds} times or more`, async () => {
      printLine(`kill -9, ${rounds} times, seed ${seed}`);
      const report = await killRepeatedly({ dataDir: newFolder(), rounds, seed });
      printLine(JSON.stringify(report));
      // A kill without requests in flight proves nothing.
      expect(Math.min(...report.inFlight)).toBeGreaterThan(0);
      // Some kills must come between a write and its response.
      expect(Math.max(...report.writtenUnanswered)).toBeGreaterThan(0);
    });
  });
};
