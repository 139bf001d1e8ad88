import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { recordingLog } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { openMongo, type Mongo } from '../../libs/adapters/mongodb/index.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { clientForTest } from './mongo.js';

const NAME = 'the MongoDB database in a URL';

describeIfAvailable(NAME, await sharedMongod(), ({ url }) =>
  describe(NAME, () => {
    const client = clientForTest(url);
    const names = [`test-${randomUUID()}`, `test-${randomUUID()}`] as const;
    const opened: Mongo[] = [];
    afterAll(async () => {
      for (const mongo of opened) await mongo.close();
      for (const name of names) await client.db(name).dropDatabase();
    });
    const open = async (name: string): Promise<Mongo> => {
      const named = url.replace(/^([^:]+:\/\/[^/?]+)\/?[^?]*/, `$1/${name}`);
      const mongo = await openMongo({ url: named, clock: systemClock, log: recordingLog() });
      opened.push(mongo);
      return mongo;
    };

    it('stores everything, separate from other databases on the same servers', async () => {
      const [one, other] = [await open(names[0]), await open(names[1])];
      const keys = [await one.keys.serviceKey('signing'), await other.keys.serviceKey('signing')];
      expect(keys[0]).not.toEqual(keys[1]);
      const counts = await Promise.all(names.map((name) => client.db(name).collection('service_keys').countDocuments()));
      expect(counts).toEqual([1, 1]);
    });
  }),
);
