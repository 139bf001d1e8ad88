import { afterAll, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../../apps/petstore/seeding/sample-pets.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { printLine } from '../../print-line.js';
import { proxyBeforeEventStore } from './cutting-proxy.js';
import { openSession, startClusterIfAvailable } from './journey.js';
import { killInTurn } from './kills.js';
import { loseResponses } from './lost-responses.js';
import { killServersInTurn } from './servers-killed.js';

/** The number of failures of each kind. */
type FailureCounts = {
  /** Appends whose response is lost after the commit. */
  readonly lost: number;
  /** Kills of each server (mongod, Kafka and the event store). */
  readonly serverKills: number;
  readonly kills: number;
  /** The seed of the random moments of failure. */
  readonly seed: number;
};

/** Tests a cluster under load. First connections fail, then servers, then processes. */
export const failuresJourney = async (name: string, { lost, serverKills, kills, seed }: FailureCounts): Promise<void> => {
  const cuttingProxy = proxyBeforeEventStore(createRandom(seed + 2));

  describeIfAvailable(name, await startClusterIfAvailable({ beforeEventStore: cuttingProxy.start }), (cluster) => {
    /**
     * Proves contract 9.5, contract 22.3, contract 22.4, contract 24.1, contract 24.2, contract 24.5 and
     * contract 24.8.
     */
    describe(name, () => {
      const session = openSession(cluster);
      afterAll(async () => {
        await cluster.close();
        await cuttingProxy.close();
      });

      it(`writes each event once and charges once when ${lost} responses are lost after the commit`, async () => {
        const report = await loseResponses(await session, cuttingProxy.proxy(), lost, seed + 2);
        printLine(`responses cut off, seed ${seed + 2}: ${JSON.stringify(report)}`);
        expect(report.recoveredAppends).toBeGreaterThanOrEqual(lost);
        expect(report.audit.charges).toBeGreaterThan(0);
      });

      it(`loses nothing, charges once and leaves no gap when its servers are killed, ${serverKills} times each`, async () => {
        const report = await killServersInTurn(await session, serverKills, seed + 1);
        printLine(`kill -9 of mongod, Kafka and the event store, ${serverKills} times each, seed ${seed + 1}: ${JSON.stringify(report)}`);
        // Outages during which no request gets a 503 prove nothing.
        expect(report.unavailable).toBeGreaterThan(0);
      });

      it(`loses nothing, charges once and leaves no gap when each role is killed in turn, ${kills} times`, async () => {
        const report = await killInTurn(await session, kills, seed);
        printLine(`kill -9 of each role, ${kills} times, seed ${seed}: ${JSON.stringify(report)}`);
        // A kill without requests in flight proves nothing.
        expect(Math.max(...report.inFlight)).toBeGreaterThan(0);
      });
    });
  });
};
