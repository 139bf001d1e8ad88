import { openForTest, temporaryFolder } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { documentsContract, type DocumentsUnderTest } from './documents.contract.js';
import { documentSearchesContract } from './document-searches.contract.js';

const inMemory = (): Promise<DocumentsUnderTest> => openForTest(':memory:');

const inFolder = async (): Promise<DocumentsUnderTest> => {
  const { folder, remove } = temporaryFolder();
  const { documents, close } = await openForTest(folder);
  return { documents, close: () => close().then(remove) };
};

for (const [name, make] of [
  ['the embedded adapter in memory', inMemory],
  ['the embedded adapter in a folder', inFolder],
] as const) {
  documentsContract(name, make);
  documentSearchesContract(name, make);
}
