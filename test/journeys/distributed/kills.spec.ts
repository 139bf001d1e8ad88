import { afterAll, describe, expect, it } from '@jest/globals';
import { whenThere } from '../../servers/services/when-there.js';
import { say } from '../say.js';
import { openShop, twoOfEach } from './journey.js';
import { killInTurn } from './kills.js';

const ROUNDS = 4;
const SEED = 20_260_102;
const NAME = 'two apis and two workers that are killed in turn under load';

whenThere(NAME, await twoOfEach(), (cluster) => {
  describe(NAME, () => {
    afterAll(() => cluster.close());

    it('keep every promise, charge once, and leave no gap', async () => {
      const report = await killInTurn(await openShop(cluster), ROUNDS, SEED);
      say(`kill -9 of each role, ${ROUNDS} times, seed ${SEED}: ${JSON.stringify(report)}`);
      // A kill that meets nobody proves nothing.
      expect(Math.max(...report.inFlight)).toBeGreaterThan(0);
      expect(report.audit.charges).toBeGreaterThan(0);
    }, 200_000);
  });
});
