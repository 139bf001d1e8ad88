import { afterAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '../../apps/petstore/believable-pets.js';
import { proxyBeforeEventStore } from '../journeys/distributed/cutting-proxy.js';
import { openShop, twoOfEach } from '../journeys/distributed/journey.js';
import { killInTurn } from '../journeys/distributed/kills.js';
import { loseAnswers } from '../journeys/distributed/lost-answers.js';
import { killServersInTurn } from '../journeys/distributed/servers-killed.js';
import { say } from '../journeys/say.js';
import { whenThere } from '../servers/services/when-there.js';

/** "`kill -9` of each role in turn under load, 20 times" */
const KILLS = Number(process.env['FAULT_ROUNDS'] ?? 20);
/** Each server so often. */
const SERVER_KILLS = 5;
/** Appends that lose their answer after the commit. */
const LOST = 50;
/** Another FAULT_SEED tries other moments. */
const SEED = Number(process.env['FAULT_SEED'] ?? 7);
const NAME = 'a store of many processes that fail again and again';

const between = proxyBeforeEventStore(seededRandom(SEED));

whenThere(NAME, await twoOfEach({ beforeEventStore: between.start }), (cluster) => {
  describe(NAME, () => {
    const shop = openShop(cluster);
    afterAll(async () => {
      await cluster.close();
      await between.close();
    });

    it(
      `keeps every promise, ${KILLS} times`,
      async () => {
        const report = await killInTurn(await shop, KILLS, SEED);
        say(`kill -9 of each role, ${KILLS} times, seed ${SEED}: ${JSON.stringify(report)}`);
        expect(Math.max(...report.inFlight)).toBeGreaterThan(0);
      },
      KILLS * 30_000,
    );

    it(
      `keeps every promise when its servers are killed, ${SERVER_KILLS} times each`,
      async () => {
        const report = await killServersInTurn(await shop, SERVER_KILLS, SEED + 1);
        say(`kill -9 of mongod, Kafka and the event store, ${SERVER_KILLS} times each, seed ${SEED + 1}: ${JSON.stringify(report)}`);
        expect(report.unavailable).toBeGreaterThan(0);
      },
      SERVER_KILLS * 180_000,
    );

    it('keeps every promise when answers are lost after the commit', async () => {
      const report = await loseAnswers(await shop, between.proxy(), LOST, SEED + 2);
      say(`answers cut off, seed ${SEED + 2}: ${JSON.stringify(report)}`);
      expect(report.found).toBeGreaterThanOrEqual(LOST);
    }, 600_000);
  });
});
