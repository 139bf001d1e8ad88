import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { deliveryRetentionContract } from './delivery-retention.contract.js';
import { mongoForTest } from './mongo.js';

const NAME = 'the MongoDB adapter';

describeIfAvailable(NAME, await sharedMongod(), ({ url }) =>
  deliveryRetentionContract(NAME, async () => {
    const { documents, drop } = await mongoForTest(url);
    return { documents, close: drop };
  }),
);
