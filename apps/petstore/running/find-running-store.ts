import { DEFAULT_URL, type Settings } from '../../../libs/settings/settings.js';
import { CommandError } from '../errors/command-error.js';
import { readFolderOwner } from '../composition/embedded/folder.js';

/** Where the store on DATA_DIR answers, found through its lock; null when none runs. */
export const findRunningStore = async ({ dataDir, servers }: Settings): Promise<string | null> => {
  if (servers) throw new CommandError(`--url is missing: on several machines this goes through a running api, as --url ${DEFAULT_URL}`);
  const holder = await readFolderOwner(dataDir);
  if (!holder) return null;
  if (holder.url === undefined) throw new CommandError(`process ${holder.pid} is at work on ${dataDir}; try again when it has finished`);
  return holder.url;
};
