import { afterAll, describe, expect, it } from '@jest/globals';
import { whenThere } from '../../servers/services/when-there.js';
import { say } from '../say.js';
import { openShop, twoOfEach } from './journey.js';
import { killServersInTurn } from './servers-killed.js';

const SEED = 20_260_103;
const NAME = 'a store whose servers are killed under load and come back';

whenThere(NAME, await twoOfEach(), (cluster) => {
  describe(NAME, () => {
    afterAll(() => cluster.close());

    it('keeps every promise, charges once, and leaves no gap', async () => {
      const report = await killServersInTurn(await openShop(cluster), 1, SEED);
      say(`kill -9 of mongod, Kafka and the event store, seed ${SEED}: ${JSON.stringify(report)}`);
      // Some asked while a server was gone, and were told so.
      expect(report.unavailable).toBeGreaterThan(0);
      expect(report.audit.charges).toBeGreaterThan(0);
    }, 200_000);
  });
});
