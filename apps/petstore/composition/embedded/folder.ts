import { backupFolder, openStoreKeys, readHolder, restoreBackup } from '../../../../libs/adapters/sqlite/index.js';
import type { CarriedKey, KeyVault } from '../../../../libs/eventsourcing/ports/key-vault.port.js';

/** A process that works on a folder. */
export type FolderOwner = {
  readonly pid: number;
  /** Where it answers requests; absent while it does not. */
  readonly url?: string;
};

/** Keys, and how to close them. */
export type OpenKeys = { readonly keys: KeyVault; readonly close: () => Promise<void> };

/** Returns the process that works on a folder, null when none does. Rejects when one does and does not say which. */
export const readFolderOwner = (directory: string): Promise<FolderOwner | null> => readHolder(directory);

/** Opens the keys of a store's folder, also while a process works on it. */
export const openFolderKeys = async (directory: string): Promise<OpenKeys> => {
  const keys = await openStoreKeys(directory);
  return { keys, close: async () => keys.close() };
};

/** Reads every key of a store's folder, to carry them elsewhere. */
export const readFolderKeys = async (directory: string): Promise<readonly CarriedKey[]> => {
  const keys = await openStoreKeys(directory);
  try {
    return keys.all();
  } finally {
    keys.close();
  }
};

/** Copies a store's folder into an empty one, also while a process works on it. */
export const copyFolder = (from: string, to: string): Promise<void> => backupFolder(from, to);

/** Copies a backup into an empty folder, once it is seen to be complete and undamaged. */
export const restoreFolder = (from: string, to: string): Promise<void> => restoreBackup(from, to);
