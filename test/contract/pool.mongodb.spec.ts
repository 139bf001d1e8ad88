import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { sharedMongod } from '../servers/services/shared.js';
import { mongoForTest, type MongoUnderTest } from './mongo.js';

const NAME = 'the connection pool of MongoDB';

describeIfAvailable(NAME, await sharedMongod(), (mongod) =>
  describe(NAME, () => {
    let mongo: MongoUnderTest;
    beforeAll(async () => {
      mongo = await mongoForTest(mongod.url);
    });
    afterAll(() => mongo.drop());

    it('has open connections, of which none is in use while nothing is requested', async () => {
      await mongo.ping();
      expect(mongo.pool()).toMatchObject({ inUse: 0, waiting: 0 });
      expect(mongo.pool().open).toBeGreaterThan(0);
    });

    it('shows the connections of requests in progress', async () => {
      const pings = Array.from({ length: 30 }, () => mongo.ping());
      await Promise.race(pings);
      const { inUse, waiting } = mongo.pool();
      expect(inUse + waiting).toBeGreaterThan(0);
      await Promise.all(pings);
      expect(mongo.pool()).toMatchObject({ inUse: 0, waiting: 0 });
      expect(mongo.pool().open).toBeLessThanOrEqual(100);
    });

    it('has no connection after it was closed', async () => {
      const other = await mongoForTest(mongod.url);
      await other.ping();
      await other.drop();
      expect(other.pool()).toEqual({ open: 0, inUse: 0, waiting: 0 });
    });
  }),
);
