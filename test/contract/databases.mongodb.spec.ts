import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { recordingLog } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { openMongo, type Mongo } from '../../libs/adapters/mongodb/index.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { clientForTest } from './mongo.js';

const NAME = 'the MongoDB database of a store';

describeIfAvailable(NAME, await sharedMongod(), ({ url }) =>
  describe(NAME, () => {
    const client = clientForTest(url);
    const names = [`test-${randomUUID()}`, `test-${randomUUID()}`] as const;
    const namespaced = `${names[0]}_shop`;
    const opened: Mongo[] = [];
    afterAll(async () => {
      for (const mongo of opened) await mongo.close();
      for (const name of [...names, namespaced]) await client.db(name).dropDatabase();
    });
    const open = async (name: string, namespace = ''): Promise<Mongo> => {
      const named = url.replace(/^([^:]+:\/\/[^/?]+)\/?[^?]*/, `$1/${name}`);
      const mongo = await openMongo({ url: named, namespace, clock: systemClock, log: recordingLog() });
      opened.push(mongo);
      return mongo;
    };

    it('is the one in the URL, separate from others on the same servers', async () => {
      const [one, other] = [await open(names[0]), await open(names[1])];
      const keys = [await one.keys.serviceKey('signing'), await other.keys.serviceKey('signing')];
      expect(keys[0]).not.toEqual(keys[1]);
      const counts = await Promise.all(names.map((name) => client.db(name).collection('service_keys').countDocuments()));
      expect(counts).toEqual([1, 1]);
    });

    it('has the namespace at the end of its name, which is also the appName of its connections (contract 24.10)', async () => {
      const [plain, shop] = [await open(names[0]), await open(names[0], 'shop')];
      expect(await shop.keys.serviceKey('signing')).not.toEqual(await plain.keys.serviceKey('signing'));
      expect(await client.db(namespaced).collection('service_keys').countDocuments()).toBe(1);
      const connected = await client
        .db('admin')
        .aggregate([{ $currentOp: { idleConnections: true } }])
        .toArray();
      expect(connected.map(({ appName }) => appName as unknown)).toEqual(expect.arrayContaining([names[0], namespaced]));
    });
  }),
);
