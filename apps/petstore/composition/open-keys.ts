import { systemClock } from '../../../libs/adapters/system/index.js';
import { openSigningKeys } from '../../../libs/adapters/tokens/index.js';
import { keyViews, type KeyView } from '../../../libs/application/keys/service-keys.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { CommandError } from '../errors/command-error.js';
import { openFolderKeys, type OpenKeys } from './embedded/folder.js';
import { openKeysOfProof } from './proof.js';

/**
 * Opens the keys in DATA_DIR, or the keys in the database in the distributed profile. The service may be running or stopped.
 * Rejects with CommandError if DATA_DIR is `:memory:`.
 */
export const openKeys = async ({ dataDir, servers, ...settings }: Settings): Promise<OpenKeys> => {
  // Imported only when needed, because the clients of the servers take long to load.
  if (servers) return (await import('./distributed/open-servers.js')).openSharedKeys({ ...settings, servers });
  if (dataDir === ':memory:')
    throw new CommandError('DATA_DIR is :memory:, so only the running service has its keys: set DATA_DIR to a folder');
  return openFolderKeys(dataDir);
};

/** Lists the keys of the service from its store. Sends no request to a running service. */
export const listStoredKeys = async (settings: Settings): Promise<readonly KeyView[]> => {
  const { keys, close } = await openKeys(settings);
  try {
    const signing = await openSigningKeys({ vault: keys, clock: systemClock });
    const proof = openKeysOfProof(keys, settings.signingKeyFile);
    return keyViews(signing.list(), await proof.list(), await keys.serviceKeys());
  } finally {
    await close();
  }
};
