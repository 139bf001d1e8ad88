import { afterAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '../../../apps/petstore/believable-pets.js';
import { whenThere } from '../../servers/services/when-there.js';
import { say } from '../say.js';
import { proxyBeforeEventStore } from './cutting-proxy.js';
import { openShop, twoOfEach } from './journey.js';
import { loseAnswers } from './lost-answers.js';

const SEED = 20_260_104;
/** Appends that lose their answer after the commit. */
const LOST = 10;
const NAME = 'an event store whose answers are lost after the commit';

const between = proxyBeforeEventStore(seededRandom(SEED));

whenThere(NAME, await twoOfEach({ beforeEventStore: between.start }), (cluster) => {
  describe(NAME, () => {
    afterAll(async () => {
      await cluster.close();
      await between.close();
    });

    it('has written each event once, and nobody was promised less or charged more', async () => {
      const report = await loseAnswers(await openShop(cluster), between.proxy(), LOST, SEED);
      say(`answers cut off, seed ${SEED}: ${JSON.stringify(report)}`);
      expect(report.found).toBeGreaterThanOrEqual(LOST);
      expect(report.audit.charges).toBeGreaterThan(0);
    }, 250_000);
  });
});
