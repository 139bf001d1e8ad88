import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { mongoForTest } from './mongo.js';
import { stateStoreContract } from './state-store.contract.js';

const NAME = 'the MongoDB adapter';

describeIfAvailable(NAME, await sharedMongod(), ({ url }) =>
  stateStoreContract(NAME, async () => {
    const { documents, drop } = await mongoForTest(url);
    return { documents, close: drop };
  }),
);
