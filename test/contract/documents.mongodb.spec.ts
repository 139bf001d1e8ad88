import { sharedMongod } from '../servers/services/shared.js';
import { whenThere } from '../servers/services/when-there.js';
import { documentsContract } from './documents.contract.js';
import { mongoForTest } from './mongo.js';

const NAME = 'the MongoDB adapter';

whenThere(NAME, await sharedMongod(), ({ url }) =>
  documentsContract(NAME, async () => {
    const { documents, drop } = await mongoForTest(url);
    return { documents, close: drop };
  }),
);
