import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { clientForTest, mongoForTest, type MongoUnderTest } from './mongo.js';
import { rateLimitCountersContract } from './rate-limit-counters.contract.js';

const NAME = 'the MongoDB adapter';
const window = new Date(Date.now() + 600_000);

type ServerStatus = { readonly metrics: { readonly commands: Readonly<Record<string, { readonly total: unknown }>> } };

const exchange = async ({ counters }: MongoUnderTest, counts: Readonly<Record<string, number>>): Promise<object> =>
  Object.fromEntries(await counters.exchange(window, new Map(Object.entries(counts))));

describeIfAvailable(NAME, await sharedMongod(), ({ url }) => {
  rateLimitCountersContract(NAME, async (processes) => {
    const first = await mongoForTest(url);
    const others = await Promise.all(Array.from({ length: processes - 1 }, () => mongoForTest(url, { namespace: first.namespace })));
    const close = async (): Promise<void> => {
      for (const other of others) await other.close();
      await first.drop();
    };
    return { processes: [first, ...others].map(({ counters }) => counters), close };
  });

  /** Proves contract 11.2: the number of stored counts has a limit. */
  describe('rate-limit counts in MongoDB', () => {
    it('need one write and one read for all buckets of an exchange', async () => {
      const mongo = await mongoForTest(url);
      await exchange(mongo, { anna: 1 });
      const admin = clientForTest(url).db('admin');
      const commands = async (): Promise<readonly number[]> => {
        const { metrics } = (await admin.command({ serverStatus: 1 })) as ServerStatus;
        return ['update', 'find', 'findAndModify', 'aggregate'].map((name) => Number(metrics.commands[name]?.total));
      };
      const before = await commands();
      await exchange(mongo, Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`caller ${index}`, 1])));
      expect((await commands()).map((total, index) => total - (before[index] ?? 0))).toEqual([1, 1, 0, 0]);
      await mongo.drop();
    });

    it('are capped: beyond the cap new buckets share one count, and existing buckets keep their own', async () => {
      const clock = manualClock();
      const mongo = await mongoForTest(url, { clock, maxBuckets: 2 });
      await exchange(mongo, { anna: 1, bert: 1 });
      clock.advance(60_000);
      expect(await exchange(mongo, { carl: 1 })).toEqual({ carl: 0 });
      expect(await exchange(mongo, { dora: 1, anna: 2 })).toEqual({ dora: 1, anna: 0 });
      const other = await mongoForTest(url, { clock, maxBuckets: 2, namespace: mongo.namespace });
      expect(await exchange(other, { emil: 4, anna: 1 })).toEqual({ emil: 2, anna: 2 });
      expect(await exchange(mongo, { carl: 2 })).toEqual({ carl: 5 });
      expect(await clientForTest(url).db(mongo.database).collection('rate_limit_counts').countDocuments()).toBe(3);
      await other.close();
      await mongo.drop();
    });

    it('are counted again for the cap although the clock was set back', async () => {
      const clock = manualClock();
      const mongo = await mongoForTest(url, { clock, maxBuckets: 1 });
      await exchange(mongo, { anna: 1 });
      clock.set(clock.now().getTime() - 3_600_000);
      clock.advance(1_000);
      expect(await exchange(mongo, { bert: 1 })).toEqual({ bert: 0 });
      expect(await exchange(mongo, { carl: 1 })).toEqual({ carl: 1 });
      await mongo.drop();
    });

    it('are deleted by the database after their window', async () => {
      const mongo = await mongoForTest(url);
      await exchange(mongo, { anna: 1 });
      const counts = clientForTest(url).db(mongo.database).collection('rate_limit_counts');
      expect(await counts.findOne({}, { projection: { _id: 0 } })).toMatchObject({ ends: window });
      expect(await counts.indexes()).toContainEqual({ v: 2, key: { ends: 1 }, name: 'over', expireAfterSeconds: 60 });
      await mongo.drop();
    });
  });
});
