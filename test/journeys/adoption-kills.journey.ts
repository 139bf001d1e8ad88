import { afterEach, describe, expect, it } from '@jest/globals';
import { expectInvariant } from '../expect-invariant.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';
import { printLine } from '../print-line.js';
import { killDuringAdoptions, type AdoptionTarget } from './adoption-kill-rounds.js';
import { callerOf, startKilledService, type KilledService } from './kills.js';
import { differencesFromReplay, logViolations } from './replay.js';

const openTarget = async (dataDir: string): Promise<AdoptionTarget & KilledService> => {
  const killed = await startKilledService(dataDir);
  const token = await tokenFor(dataDir);
  const call = callerOf(killed, token);
  return { ...killed, calls: () => [call], events: async () => snapshotOf(dataDir).events };
};

/** Tests a service that is killed repeatedly while people apply for pets. The seed determines the choices. */
export const adoptionKillJourney = (rounds: number, seed: number): void => {
  afterEach(async () => {
    await endPrograms();
    removeFolders();
  });

  /** Proves contract 24.1, contract 24.2 and contract 36.5. */
  describe('a service that is killed while people apply for pets', () => {
    it(`repeats every step that a kill left out, ${rounds} times`, async () => {
      const dataDir = newFolder();
      const target = await openTarget(dataDir);
      const report = await killDuringAdoptions(target, rounds, seed);
      printLine(`kill -9 during adoptions, seed ${seed}: ${JSON.stringify(report)}`);
      expect(report.applications).toBeGreaterThan(rounds);
      expect(await target.process().stop()).toEqual({ code: 0, signal: null });
      const snapshot = snapshotOf(dataDir);
      expectInvariant('the log is valid', logViolations(snapshot.events));
      expectInvariant('the read models equal a replay', differencesFromReplay(snapshot));
    });
  });
};
