import { ObjectId } from 'mongodb';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { blobsContract } from './blobs.contract.js';
import { clientForTest, mongoForTest } from './mongo.js';

const NAME = 'GridFS';

describeIfAvailable(NAME, await sharedMongod(), ({ url }) => {
  blobsContract(NAME, async () => {
    const { blobs, database, drop } = await mongoForTest(url);
    return {
      blobs,
      async interruptPut(bytes) {
        const chunks = clientForTest(url).db(database).collection('images.chunks');
        const files_id = new ObjectId();
        await chunks.insertMany([0, 1].map((n) => ({ files_id, n, data: Buffer.from(bytes.subarray(0, 100)) })));
        return async () => (await chunks.countDocuments({ files_id })) > 0;
      },
      close: drop,
    };
  });
});
