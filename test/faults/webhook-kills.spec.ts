import { afterEach, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { endPrograms } from '../servers/program.js';
import { say } from '../journeys/say.js';
import { killWhileTelling } from '../journeys/webhook-kill-rounds.js';

const ROUNDS = Number(process.env['WEBHOOK_KILLS'] ?? 100);
/** Another FAULT_SEED tries other moments. */
const SEED = Number(process.env['FAULT_SEED'] ?? 11);

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

describe('1,000 webhook events, told by a store that is killed again and again', () => {
  it(
    `all arrive, with the same ids, in order where that was asked for, and none is parked, over ${ROUNDS} kills`,
    async () => {
      say(`kill -9 while telling, ${ROUNDS} times, seed ${SEED}`);
      const report = await killWhileTelling({ dataDir: newFolder(), rounds: ROUNDS, seed: SEED });
      say(JSON.stringify(report));
      expect(report.events).toBe(1_000);
      expect(Math.max(...report.inFlight)).toBeGreaterThan(0);
    },
    ROUNDS * 20_000,
  );
});
