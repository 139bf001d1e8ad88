import { BLOB_FOLDER, FileBlobs } from '../../../../libs/adapters/files/index.js';
import { systemClock } from '../../../../libs/adapters/system/index.js';
import {
  backupFolder,
  FolderRefused,
  openStoreKeys,
  readHolder,
  restoreBackup,
  storeIdOf,
} from '../../../../libs/adapters/sqlite/index.js';
import { copyImages, damageWarning } from '../images/copy-images.js';
import type { KeyCopy, KeyVault, PersonalKeyList, ServiceKeyList } from '../../../../libs/eventsourcing/ports/key-vault.port.js';

/** A process that uses a folder. */
export type FolderOwner = {
  readonly pid: number;
  /** The URL of its server. Absent until the server listens. */
  readonly url?: string;
  /** The issuer of its access tokens. Absent until the server listens, and if an earlier version runs. */
  readonly issuer?: string;
};

/** The open keys of a store. */
export type OpenKeys = { readonly keys: KeyVault & ServiceKeyList & PersonalKeyList; readonly close: () => Promise<void> };

/** Returns the process that uses a folder, or null if none does. Rejects if an unknown process has locked it. */
export const readFolderOwner = (directory: string): Promise<FolderOwner | null> => readHolder(directory);

/** Throws if a folder contains no store. Commands call this first, because opening the folder would create a store. */
export const requireStore = (directory: string): void => void storeIdOf(directory);

/**
 * Returns whether a folder contains a store. Without one, opening the folder creates a store. Throws FolderRefused if the files of
 * the store are damaged or do not belong together.
 */
export const hasStore = (directory: string): boolean => {
  try {
    requireStore(directory);
    return true;
  } catch (error) {
    if (error instanceof FolderRefused && error.refusal === 'not_a_store') return false;
    throw error;
  }
};

/** Opens the keys in the folder of a store, even while another process uses the folder. */
export const openFolderKeys = async (directory: string): Promise<OpenKeys> => {
  const keys = await openStoreKeys(directory, systemClock);
  return { keys, close: () => keys.close() };
};

/** Reads every key in the folder of a store, with its secret, for a copy of the store. */
export const readFolderKeys = async (directory: string): Promise<readonly KeyCopy[]> => {
  const keys = await openStoreKeys(directory, systemClock);
  try {
    return keys.all();
  } finally {
    await keys.close();
  }
};

/** Returns the function with which a backup or restore copies images. It adds the names of damaged images to `damaged`. */
const imagesBeside = (damaged: string[]) => ({
  folder: BLOB_FOLDER,
  copy: async (from: string, to: string): Promise<void> => void damaged.push(...(await copyImages(new FileBlobs(from), new FileBlobs(to)))),
});

/**
 * Copies the folder of a store to an empty folder, even while a process uses the store. Returns a warning that names damaged
 * images, or null if there are none.
 */
export const copyFolder = async (from: string, to: string): Promise<string | null> => {
  const damaged: string[] = [];
  await backupFolder(from, to, undefined, imagesBeside(damaged));
  return damageWarning(damaged);
};

/**
 * Checks that the databases of a backup are undamaged, and copies the backup to an empty folder. `changeKeys` runs before any
 * process can use the copied keys. If it fails, nothing is restored. Returns a warning that names damaged images, or null.
 */
export const restoreFolder = async (
  from: string,
  to: string,
  changeKeys?: (keys: OpenKeys['keys']) => Promise<void>,
): Promise<string | null> => {
  const damaged: string[] = [];
  await restoreBackup(from, to, changeKeys && { clock: systemClock, change: changeKeys }, imagesBeside(damaged));
  return damageWarning(damaged);
};
