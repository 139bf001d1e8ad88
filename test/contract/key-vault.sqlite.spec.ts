import { openKeyVault } from '../../libs/adapters/sqlite/key-vault.js';
import { temporaryFolder } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { keyVaultContract } from './key-vault.contract.js';

keyVaultContract('the embedded adapter in memory', async () => {
  const keys = await openKeyVault(':memory:');
  return { keys, close: async () => keys.close() };
});

keyVaultContract('the embedded adapter in a folder', async () => {
  const { folder, remove } = temporaryFolder();
  const keys = await openKeyVault(folder);
  return {
    keys,
    close: async () => {
      keys.close();
      remove();
    },
  };
});
