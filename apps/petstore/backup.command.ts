import type { Settings } from '../../libs/application/settings.js';
import { backupFolder, restoreBackup } from './embedded.module.js';

/** Copies the folder, live or not: the log first, then the keys, so that the copy has a key for every event in it. */
export const backupCommand = async ({ dataDir }: Settings, directory: string): Promise<void> => {
  await backupFolder(dataDir, directory);
  process.stdout.write(`${dataDir} is copied to ${directory}. The copy holds its keys: keep it as safe as the store itself.\n`);
};

/** Copies a backup into an empty DATA_DIR. */
export const restoreCommand = async ({ dataDir }: Settings, directory: string): Promise<void> => {
  await restoreBackup(directory, dataDir);
  process.stdout.write(`${directory} is restored to ${dataDir}. npm start opens it.\n`);
};
