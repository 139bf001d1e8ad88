import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient, type ClientSession } from 'mongodb';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { eventually } from '../eventually.js';
import { mongoForTest, type MongoUnderTest } from './mongo.js';

const NAME = 'an open transaction of a dead process';
/** Milliseconds of a lease that expires during a test. */
const SHORT_LEASE = 200;
/** Milliseconds of a lease that outlives a test. */
const LONG_LEASE = 600_000;
const LEASE = 'projections';

describeIfAvailable(NAME, await sharedMongod(), ({ url }) => {
  /** Proves contract 24.6. */
  describe(NAME, () => {
    let mongo: MongoUnderTest;
    let client: MongoClient;
    let session: ClientSession;

    beforeEach(async () => {
      mongo = await mongoForTest(url, { appName: 'left-open' });
      client = new MongoClient(url, { appName: 'left-open' });
      session = client.startSession();
    });
    afterEach(async () => {
      await session.endSession();
      await client.close();
      await mongo.drop();
    });

    /** Writes a record in a transaction and leaves the transaction open. */
    const leaveOpen = async (collection: string, key: string): Promise<void> => {
      session.startTransaction();
      const records = client.db(mongo.database).collection<{ _id: string }>(collection);
      await records.updateOne({ _id: key }, { $inc: { uses: 1 } }, { session, upsert: true });
    };

    it('blocks neither its lease nor its documents for the next owner', async () => {
      expect(await mongo.leases.acquire(LEASE, 'anna', SHORT_LEASE)).not.toBeNull();
      await leaveOpen('leases', LEASE);
      await client
        .db(mongo.database)
        .collection<{ _id: string }>('readers')
        .updateOne({ _id: 'relay' }, { $set: { position: 1 } }, { session, upsert: true });
      const lease = await eventually('the lease', () => mongo.leases.acquire(LEASE, 'bert', LONG_LEASE));
      expect(await mongo.projectionDocuments.apply([], { name: 'relay', position: 2, lease })).toBe(true);
      await expect(session.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
    });

    it('is not aborted before its lease expires', async () => {
      const lease = await mongo.leases.acquire(LEASE, 'anna', LONG_LEASE);
      expect(lease).not.toBeNull();
      await leaveOpen('leases', LEASE);
      expect(await mongo.leases.acquire(LEASE, 'bert', LONG_LEASE)).toBeNull();
      await session.commitTransaction();
    });
  });
});
