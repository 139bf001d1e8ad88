import { openKeyVault } from '../../libs/adapters/sqlite/open-key-vault.js';
import { temporaryFolder } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { keyVaultContract } from './key-vault.contract.js';

keyVaultContract('the embedded adapter in memory', async () => {
  const keys = await openKeyVault(':memory:', manualClock());
  return { keys, close: () => keys.close() };
});

keyVaultContract('the embedded adapter in a folder', async () => {
  const { folder, remove } = temporaryFolder();
  const keys = await openKeyVault(folder, manualClock());
  return {
    keys,
    close: async () => {
      await keys.close();
      remove();
    },
  };
});
