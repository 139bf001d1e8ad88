import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { KeyCopy, KeyLookup, KeyVault, PersonalKeyList, ServiceKeyList } from '../../eventsourcing/ports/key-vault.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';
import { queueOf } from './commits/commit-queue.js';
import { isSqliteFailure, isStorageFailure } from './failures.js';
import { openDatabase, type Database } from './folder/database.js';
import { KEYS_FILE } from './folder/file-names.js';
import { KEY_MIGRATIONS, migrate } from './folder/migrations.js';
import type { FolderRefused } from './folder/refused.js';
import { digestOf } from './folder/store-files.js';
import { folderRefused } from './folder/store-id.js';
import { SqliteKeyVault } from './key-vault.js';

/** A key vault with an open file. */
export type OpenKeyVault = KeyVault &
  ServiceKeyList &
  PersonalKeyList &
  KeyLookup & {
    /** Returns all keys, so that they can be copied to another vault. */
    all(): readonly KeyCopy[];
    close(): Promise<void>;
  };

/**
 * Opens the key file of a folder. Another process may use the folder at the same time. With the directory `:memory:`, keys are
 * stored only in memory. `file` is the name of the key file. Only a restore passes another name: that of its unfinished copy.
 */
export const openKeyVault = async (directory: string, clock: Clock, file = KEYS_FILE): Promise<OpenKeyVault> => {
  const database = openDatabase(directory, file);
  try {
    migrate(database, KEY_MIGRATIONS);
    addDigests(database);
    return new SqliteKeyVault({ database, queue: queueOf(directory, file, database), clock });
  } catch (error) {
    database.close();
    throw isSqliteFailure(error) && !isStorageFailure(error) ? unexpectedTables(directory, error) : error;
  }
};

/** Creates the error for a file with unexpected tables. */
const unexpectedTables = (directory: string, error: unknown): FolderRefused =>
  folderRefused('damaged', directory, [`${KEYS_FILE} has unexpected tables: ${reasonOf(error)}`]);

/** Adds a digest to keys that were created before keys had digests. */
const addDigests = (database: Database): void => {
  for (const { name, key } of database.statement('SELECT name, key FROM service_keys WHERE digest IS NULL').all())
    database.statement('UPDATE service_keys SET digest = ? WHERE name = ?').run(digestOf(key as Uint8Array), name as string);
};
