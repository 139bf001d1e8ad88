import { openForTest, temporaryFolder } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { documentsContract } from './documents.contract.js';

documentsContract('the embedded adapter in memory', () => openForTest(':memory:'));

documentsContract('the embedded adapter in a folder', async () => {
  const { folder, remove } = temporaryFolder();
  const { documents, close } = await openForTest(folder);
  return { documents, close: () => close().then(remove) };
});
