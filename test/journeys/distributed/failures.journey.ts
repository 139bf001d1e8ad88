import { afterAll, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../../apps/petstore/seeding/sample-pets.js';
import { whenThere } from '../../servers/services/when-there.js';
import { say } from '../print-line.js';
import { proxyBeforeEventStore } from './cutting-proxy.js';
import { openShop, twoOfEach } from './journey.js';
import { killInTurn } from './kills.js';
import { loseAnswers } from './lost-answers.js';
import { killServersInTurn } from './servers-killed.js';

/** How often everything fails. */
type Failing = {
  /** Appends that lose their answer after the commit. */
  readonly lost: number;
  /** Each server is killed so often. */
  readonly serverKills: number;
  readonly kills: number;
  /** Another seed tries other moments. */
  readonly seed: number;
};

/** Has all that can fail of a cluster fail under load, one after the other: what it promised before it must still keep after. */
export const failuresJourney = async (name: string, { lost, serverKills, kills, seed }: Failing): Promise<void> => {
  const between = proxyBeforeEventStore(createRandom(seed + 2));

  whenThere(name, await twoOfEach({ beforeEventStore: between.start }), (cluster) => {
    describe(name, () => {
      const shop = openShop(cluster);
      afterAll(async () => {
        await cluster.close();
        await between.close();
      });

      it(
        `has written each event once where ${lost} answers are lost after the commit, and nobody was promised less or charged more`,
        async () => {
          const report = await loseAnswers(await shop, between.proxy(), lost, seed + 2);
          say(`answers cut off, seed ${seed + 2}: ${JSON.stringify(report)}`);
          expect(report.found).toBeGreaterThanOrEqual(lost);
          expect(report.audit.charges).toBeGreaterThan(0);
        },
        150_000 + lost * 10_000,
      );

      it(
        `keeps every promise, charges once, and leaves no gap when its servers are killed, ${serverKills} times each`,
        async () => {
          const report = await killServersInTurn(await shop, serverKills, seed + 1);
          say(`kill -9 of mongod, Kafka and the event store, ${serverKills} times each, seed ${seed + 1}: ${JSON.stringify(report)}`);
          // Some asked while a server was gone, and were told so.
          expect(report.unavailable).toBeGreaterThan(0);
        },
        20_000 + serverKills * 180_000,
      );

      it(
        `keeps every promise, charges once, and leaves no gap when each role is killed in turn, ${kills} times`,
        async () => {
          const report = await killInTurn(await shop, kills, seed);
          say(`kill -9 of each role, ${kills} times, seed ${seed}: ${JSON.stringify(report)}`);
          // A kill that meets nobody proves nothing.
          expect(Math.max(...report.inFlight)).toBeGreaterThan(0);
        },
        80_000 + kills * 30_000,
      );
    });
  });
};
