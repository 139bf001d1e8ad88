import { backupFolder, openStoreKeys, readHolder, restoreBackup, storeIdOf } from '../../../../libs/adapters/sqlite/index.js';
import type { KeyCopy, KeyVault } from '../../../../libs/eventsourcing/ports/key-vault.port.js';

/** A process that uses a folder. */
export type FolderOwner = {
  readonly pid: number;
  /** The URL of its server. Absent until the server listens. */
  readonly url?: string;
};

/** The open keys of a store. */
export type OpenKeys = { readonly keys: KeyVault; readonly close: () => Promise<void> };

/** Returns the process that uses a folder, or null. Rejects if the folder is in use by an unknown process. */
export const readFolderOwner = (directory: string): Promise<FolderOwner | null> => readHolder(directory);

/** Throws if a folder contains no store. Opening the folder would create one. */
export const requireStore = (directory: string): void => void storeIdOf(directory);

/** Opens the keys of a store's folder, even while a process uses it. */
export const openFolderKeys = async (directory: string): Promise<OpenKeys> => {
  const keys = await openStoreKeys(directory);
  return { keys, close: async () => keys.close() };
};

/** Reads every key of a store's folder for a copy. */
export const readFolderKeys = async (directory: string): Promise<readonly KeyCopy[]> => {
  const keys = await openStoreKeys(directory);
  try {
    return keys.all();
  } finally {
    keys.close();
  }
};

/** Copies a store's folder to an empty folder, even while a process uses it. */
export const copyFolder = (from: string, to: string): Promise<void> => backupFolder(from, to);

/** Copies a backup to an empty folder after checking that it is complete and undamaged. */
export const restoreFolder = (from: string, to: string): Promise<void> => restoreBackup(from, to);
