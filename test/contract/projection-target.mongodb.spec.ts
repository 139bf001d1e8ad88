import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { mongoForTest } from './mongo.js';
import { leasedTargetOn, projectionTargetContract } from './projection-target.contract.js';

const NAME = 'the MongoDB adapter';

describeIfAvailable(NAME, await sharedMongod(), ({ url }) =>
  projectionTargetContract(NAME, async () => {
    const { projectionDocuments: documents, leases, drop: close } = await mongoForTest(url);
    return leasedTargetOn({ documents, leases, close });
  }),
);
