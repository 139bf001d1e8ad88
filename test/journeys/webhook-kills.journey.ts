import { afterEach, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { endPrograms } from '../servers/program.js';
import { printLine } from '../print-line.js';
import { killWhileDelivering } from './webhook-kill-rounds.js';

/** Tests a service that is killed repeatedly while it delivers 1,000 events to a receiver that fails at random. */
export const webhookKillsJourney = (rounds: number, seed: number): void => {
  afterEach(async () => {
    await endPrograms();
    removeFolders();
  });

  /** Proves contract 19.1, contract 20.8 and contract 20.10. */
  describe('1,000 webhooks from a service that is killed to a receiver that fails at random', () => {
    it(`all arrive with stable ids, in order for an ordered endpoint, and none is parked, over ${rounds} kills`, async () => {
      printLine(`kill -9 during deliveries, ${rounds} times, seed ${seed}`);
      const report = await killWhileDelivering({ dataDir: newFolder(), rounds, seed });
      printLine(JSON.stringify(report));
      expect(report.events).toBe(1_000);
      // A kill without requests in flight proves nothing.
      expect(Math.max(...report.inFlight)).toBeGreaterThan(0);
    });
  });
};
