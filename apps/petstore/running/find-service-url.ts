import { DEFAULT_URL, type Settings } from '../../../libs/settings/settings.js';
import { CommandError } from '../errors/command-error.js';
import { readFolderOwner } from '../composition/embedded/folder.js';

/** Returns the URL of the service that runs on DATA_DIR, or null if none runs. Throws if a command is using the folder. */
export const findServiceUrl = async ({ dataDir, servers }: Settings): Promise<string | null> => {
  if (servers)
    throw new CommandError(
      `--url is missing: in the distributed profile, pass the address of a running api, for example --url ${DEFAULT_URL}`,
    );
  const owner = await readFolderOwner(dataDir);
  if (!owner) return null;
  if (owner.url === undefined)
    throw new CommandError(`process ${owner.pid} is using ${dataDir}: run this command again when that process has ended`);
  return owner.url;
};
