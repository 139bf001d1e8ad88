import { afterEach, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { endPrograms } from '../servers/program.js';
import { say } from './print-line.js';
import { killWhileTelling } from './webhook-kill-rounds.js';

/** Kills a store so many times while it tells 1,000 events to a receiver that fails at random. Another seed tries other moments. */
export const webhookKillsJourney = (rounds: number, seed: number): void => {
  afterEach(async () => {
    await endPrograms();
    removeFolders();
  });

  describe('1,000 webhook events, told by a store that is killed to a receiver that fails', () => {
    it(
      `all arrive, with the same ids, in order where that was asked for, and none is parked, over ${rounds} kills`,
      async () => {
        say(`kill -9 while telling, ${rounds} times, seed ${seed}`);
        const report = await killWhileTelling({ dataDir: newFolder(), rounds, seed });
        say(JSON.stringify(report));
        expect(report.events).toBe(1_000);
        // A kill that meets nothing on its way proves nothing.
        expect(Math.max(...report.inFlight)).toBeGreaterThan(0);
      },
      rounds * 24_000,
    );
  });
};
