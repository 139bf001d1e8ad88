import { join } from 'node:path';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { KeyLookup } from '../../../eventsourcing/ports/key-vault.port.js';
import { openKeyVault, type OpenKeyVault } from '../open-key-vault.js';
import { removeMarks } from './backup-mark.js';
import { IN_MEMORY, KEYS_FILE, STORE_FILE } from './file-names.js';
import { lockFolder, type FolderLock } from './lock.js';
import { CHECKED_AT_START, findDamage, readWith, STORE_FILES } from './store-files.js';
import { ensureStoreId, folderRefused, storeIdOf } from './store-id.js';

/**
 * Returns whether `keys` decrypt the log. `sealed` are the JSON texts of events with encrypted values.
 */
export type AreKeysOf = (keys: KeyLookup, sealed: Iterable<string>) => Promise<boolean>;

/** A folder that this process has locked, and its keys. */
export type OpenFolder = {
  readonly directory: string;
  /** Null for a store in memory. */
  readonly lock: FolderLock | null;
  readonly keys: OpenKeyVault;
  /** The store's id; null for a store in memory. */
  readonly storeId: string | null;
};

/**
 * Locks a folder and opens its keys. Rejects with FolderRefused if files are missing, damaged or of different stores. Files of
 * an earlier release have no store id: for such files, `areKeysOf` verifies that the keys belong to the log. Without
 * `areKeysOf`, such files are trusted.
 */
export const openFolder = async (directory: string, clock: Clock, areKeysOf?: AreKeysOf): Promise<OpenFolder> => {
  if (directory === IN_MEMORY) return { directory, lock: null, keys: await openKeyVault(directory, clock), storeId: null };
  const lock = lockFolder(directory, clock.now());
  try {
    const storeId = await ensureStoreId(directory, () => verifyKeys(directory, clock, areKeysOf));
    assertUndamaged(directory, STORE_FILES);
    removeMarks(directory);
    return { directory, lock, keys: await openKeyVault(directory, clock), storeId };
  } catch (error) {
    lock.release();
    throw error;
  }
};

/**
 * Opens the keys of an existing store, even while another process uses its folder. Rejects with FolderRefused
 * if the folder has no store, or its keys are damaged.
 */
export const openStoreKeys = async (directory: string, clock: Clock): Promise<OpenKeyVault> => {
  storeIdOf(directory);
  assertUndamaged(directory, [KEYS_FILE]);
  return openKeyVault(directory, clock);
};

/** Throws FolderRefused if one of the files is damaged. */
const assertUndamaged = (directory: string, files: readonly string[]): void => {
  for (const file of files) {
    const damage = findDamage(directory, file, CHECKED_AT_START);
    if (damage !== null) throw folderRefused('damaged', directory, [`${file} is damaged: ${damage}`]);
  }
};

/** Selects events with a sealed value. In LIKE, each `_` matches one character, so an empty value does not match. */
const SEALED = `SELECT data FROM events WHERE data LIKE '%"$sealed":"_%' ORDER BY position`;

/**
 * Returns whether the keys decrypt the log. Checks up to 100 events with sealed values. Returns true without a check if the
 * log has no events, or `areKeysOf` is omitted.
 */
const verifyKeys = async (directory: string, clock: Clock, areKeysOf?: AreKeysOf): Promise<boolean> => {
  if (!areKeysOf) return true;
  const keys = await openKeyVault(directory, clock);
  try {
    const sealed = readWith(join(directory, STORE_FILE), (log) => {
      const hasEvents = log.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get() && log.prepare('SELECT 1 FROM events').get();
      return hasEvents ? log.prepare(`${SEALED} LIMIT 100`).all() : null;
    });
    return (
      sealed === null ||
      (await areKeysOf(
        keys,
        sealed.map(({ data }) => String(data)),
      ))
    );
  } finally {
    await keys.close();
  }
};
