import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { documentSearchesContract } from './document-searches.contract.js';
import { documentsContract, type DocumentsUnderTest } from './documents.contract.js';
import { mongoForTest } from './mongo.js';

const NAME = 'the MongoDB adapter';

describeIfAvailable(NAME, await sharedMongod(), ({ url }) => {
  const make = async (): Promise<DocumentsUnderTest> => {
    const { documents, drop } = await mongoForTest(url);
    return { documents, close: drop };
  };
  documentsContract(NAME, make);
  documentSearchesContract(NAME, make);
});
