import { afterEach, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { endPrograms } from '../servers/program.js';
import { say } from './say.js';
import { killWhileTelling } from './webhook-kill-rounds.js';

const ROUNDS = 10;
const SEED = 20_260_103;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

describe('1,000 webhook events, told by a store that is killed to a receiver that fails', () => {
  it('all arrive, with the same ids, in order where that was asked for, and none is parked', async () => {
    const report = await killWhileTelling({ dataDir: newFolder(), rounds: ROUNDS, seed: SEED });
    say(`kill -9 while telling, ${ROUNDS} times, seed ${SEED}: ${JSON.stringify(report)}`);
    expect(report.events).toBe(1_000);
    // A kill that meets nothing on its way proves nothing.
    expect(Math.max(...report.inFlight)).toBeGreaterThan(0);
  }, 240_000);
});
