import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { leasedDocumentsContract } from './leased-documents.contract.js';
import { leasesContract } from './leases.contract.js';
import { mongoForTest } from './mongo.js';

const NAME = 'the MongoDB adapter';

describeIfAvailable(NAME, await sharedMongod(), ({ url }) => {
  leasesContract(NAME, async () => {
    const { leases, drop } = await mongoForTest(url);
    return { leases, close: drop };
  });

  leasedDocumentsContract(NAME, async () => {
    const { projectionDocuments: documents, leases, drop } = await mongoForTest(url);
    return { documents, leases, close: drop };
  });
});
