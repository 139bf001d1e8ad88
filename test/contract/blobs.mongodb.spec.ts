import { describe, expect, it } from '@jest/globals';
import { sharedMongod } from '../servers/services/shared.js';
import { whenThere } from '../servers/services/when-there.js';
import { blobsContract } from './blobs.contract.js';
import { clientForTest, mongoForTest } from './mongo.js';

const NAME = 'the MongoDB adapter';

whenThere(NAME, await sharedMongod(), ({ url }) => {
  blobsContract(NAME, async () => {
    const { blobs, drop } = await mongoForTest(url);
    return { blobs, close: drop };
  });

  describe('blobs in GridFS', () => {
    it('leave no pieces of those that came second, nor of those that were removed', async () => {
      const mongo = await mongoForTest(url);
      const bytes = new Uint8Array(1000);
      await Promise.all(Array.from({ length: 10 }, () => mongo.blobs.put('a', bytes, 'image/png')));
      await mongo.blobs.put('b', bytes, 'image/png');
      await mongo.blobs.delete('b');
      const client = clientForTest(url);
      const database = client.db(mongo.database);
      expect(await database.collection('blobs.files').countDocuments()).toBe(1);
      expect(await database.collection('blobs.chunks').countDocuments()).toBe(1);
      await mongo.drop();
    });
  });
});
