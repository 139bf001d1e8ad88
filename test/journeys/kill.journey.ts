import { afterEach, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { endPrograms } from '../servers/program.js';
import { killRepeatedly } from './kill-rounds.js';
import { printLine } from '../print-line.js';

type KillJourney = {
  readonly rounds: number;
  /** Determines the moments of the kills. */
  readonly seed: number;
  /** Whether enough kills come that some must interrupt a request, and some a write. */
  readonly mustInterrupt: boolean;
};

/** Tests a service that is killed repeatedly under load. */
export const killJourney = ({ rounds, seed, mustInterrupt }: KillJourney): void => {
  afterEach(async () => {
    await endPrograms();
    removeFolders();
  });

  /** Proves contract 9.5, contract 23.4, contract 24.1, contract 24.2, contract 24.3 and contract 24.8. */
  describe('a service that is killed at random moments under load', () => {
    it(`loses no acknowledged change and finishes all follow-up work, ${rounds} times`, async () => {
      printLine(`kill -9, ${rounds} times, seed ${seed}`);
      const report = await killRepeatedly({ dataDir: newFolder(), rounds, seed });
      printLine(JSON.stringify(report));
      if (!mustInterrupt) return;
      // A kill without requests in flight proves nothing.
      expect(Math.min(...report.inFlight)).toBeGreaterThan(0);
      // Some kills must come between a write and its response.
      expect(Math.max(...report.writtenUnanswered)).toBeGreaterThan(0);
    });
  });
};
