import { openForTest, temporaryFolder } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { eventStoreContract } from './event-store.contract.js';

eventStoreContract('the embedded adapter in memory', async () => {
  const { events, close } = await openForTest(':memory:');
  return { store: events, close };
});

eventStoreContract('the embedded adapter in a folder', async () => {
  const { folder, remove } = temporaryFolder();
  const { events, close } = await openForTest(folder);
  return { store: events, close: () => close().then(remove) };
});
