import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import { inTransaction } from '../../libs/adapters/mongodb/connection/transactions.js';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { clientForTest, mongoForTest, type MongoUnderTest } from './mongo.js';

const NAME = 'a transaction that meets another one in MongoDB';

type Counter = { readonly _id: string; readonly value: number };

describeIfAvailable(NAME, await sharedMongod(), ({ url }) => {
  /** Proves contract 24.6. */
  describe(NAME, () => {
    let mongo: MongoUnderTest;
    let client: MongoClient;
    let counters: Collection<Counter>;
    let other: ClientSession;

    beforeEach(async () => {
      mongo = await mongoForTest(url);
      client = clientForTest(url);
      counters = client.db(mongo.database).collection<Counter>('counters');
      await counters.insertOne({ _id: 'a', value: 0 });
      other = client.startSession();
      other.startTransaction();
      await increment(other);
    });
    afterEach(async () => {
      await other.endSession();
      await mongo.drop();
    });

    const increment = (session: ClientSession) => counters.updateOne({ _id: 'a' }, { $inc: { value: 1 } }, { session });

    it('is repeated until the other transaction has ended', async () => {
      let attempts = 0;
      await inTransaction(client, async (session) => {
        if (++attempts === 6) await other.commitTransaction();
        await increment(session);
      });
      expect(await counters.findOne({ _id: 'a' })).toEqual({ _id: 'a', value: 2 });
    });

    it('gives the other transaction at least 400 ms, and then fails', async () => {
      const times: number[] = [];
      const repeated = inTransaction(client, (session) => {
        times.push(performance.now());
        return increment(session);
      });
      await expect(repeated).rejects.toThrow('conflict');
      expect(times).toHaveLength(10);
      expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(400);
    });
  });
});
