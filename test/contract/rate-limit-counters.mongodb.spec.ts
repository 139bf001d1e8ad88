import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { sharedMongod } from '../servers/services/shared.js';
import { whenThere } from '../servers/services/when-there.js';
import { clientForTest, mongoForTest } from './mongo.js';
import { rateLimitCountersContract } from './rate-limit-counters.contract.js';

const NAME = 'the MongoDB adapter';
const window = new Date(Date.now() + 600_000);

whenThere(NAME, await sharedMongod(), ({ url }) => {
  rateLimitCountersContract(NAME, async () => {
    const { counters, drop } = await mongoForTest(url);
    return { counters, close: drop };
  });

  describe('rate-limit counts in MongoDB', () => {
    it('are shared by processes', async () => {
      const one = await mongoForTest(url);
      const other = await mongoForTest(url, { database: one.database });
      await one.counters.add('anna', window);
      expect(await other.counters.add('anna', window)).toBe(2);
      await other.close();
      await one.drop();
    });

    it('are capped: newcomers share one, whoever was there keeps its own', async () => {
      const clock = manualClock();
      const mongo = await mongoForTest(url, { clock, mostBuckets: 2 });
      await mongo.counters.add('anna', window);
      await mongo.counters.add('bert', window);
      clock.advance(60_000);
      expect(await mongo.counters.add('carl', window)).toBe(1);
      expect(await mongo.counters.add('dora', window)).toBe(2);
      expect(await mongo.counters.add('anna', window)).toBe(2);
      await mongo.drop();
    });

    it('are counted again when the clock was set back', async () => {
      const clock = manualClock();
      const mongo = await mongoForTest(url, { clock, mostBuckets: 1 });
      await mongo.counters.add('anna', window);
      clock.set(clock.now().getTime() - 3_600_000);
      expect(await mongo.counters.add('bert', window)).toBe(1);
      expect(await mongo.counters.add('carl', window)).toBe(2);
      await mongo.drop();
    });

    it('go by themselves once their window is over', async () => {
      const mongo = await mongoForTest(url);
      await mongo.counters.add('anna', window);
      const client = clientForTest(url);
      const counts = client.db(mongo.database).collection('rate_limit_counts');
      expect(await counts.findOne({}, { projection: { _id: 0 } })).toEqual({ count: 1, ends: window });
      expect(await counts.indexes()).toContainEqual({ v: 2, key: { ends: 1 }, name: 'over', expireAfterSeconds: 60 });
      await mongo.drop();
    });
  });
});
