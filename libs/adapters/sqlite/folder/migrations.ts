import type { Database } from './database.js';
import { FolderRefused } from './refused.js';

/**
 * The schema of the log's file. Each entry migrates a file to the next version, and PRAGMA user_version stores
 * the version. Entries are never changed, only added. The column `metadata` precedes `data`, so that SQLite can
 * read the metadata of a large event without reading all its pages.
 */
export const STORE_MIGRATIONS: readonly string[] = [
  `CREATE TABLE events (
     position INTEGER PRIMARY KEY,
     stream TEXT NOT NULL,
     revision INTEGER NOT NULL,
     id TEXT NOT NULL,
     type TEXT NOT NULL,
     metadata TEXT NOT NULL,
     data TEXT NOT NULL
   ) STRICT;
   CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
   CREATE TABLE checkpoints (name TEXT PRIMARY KEY, position INTEGER NOT NULL, following INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE collections (
     name TEXT NOT NULL, version INTEGER NOT NULL, declaration TEXT NOT NULL, in_service INTEGER NOT NULL, PRIMARY KEY (name, version)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE parked_streams (
     projection TEXT NOT NULL, stream TEXT NOT NULL, revision INTEGER NOT NULL, position INTEGER NOT NULL, reason TEXT NOT NULL,
     PRIMARY KEY (projection, stream)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE consumers (name TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE parked_messages (
     consumer TEXT NOT NULL, key TEXT NOT NULL, stream TEXT NOT NULL, revision INTEGER NOT NULL, reason TEXT NOT NULL, parked_at TEXT NOT NULL,
     PRIMARY KEY (consumer, key)
   ) STRICT, WITHOUT ROWID;`,
  // Times are milliseconds since 1970. `next` is the time when work may be claimed: its due time, or the end of
  // the current claim. It is NULL for done work.
  `CREATE TABLE work (
     queue TEXT NOT NULL, id TEXT NOT NULL, lane TEXT NOT NULL, data TEXT NOT NULL, attempt INTEGER NOT NULL, next INTEGER, done INTEGER,
     PRIMARY KEY (queue, id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX work_due ON work (queue, next, lane) WHERE next IS NOT NULL;
   CREATE INDEX work_done ON work (done) WHERE done IS NOT NULL;`,
  `CREATE INDEX work_by_lane ON work (queue, lane, next) WHERE next IS NOT NULL;`,
  // Only raises the version number, so that earlier releases reject the file: they would not update the checksums of
  // documents. `Collections` adds the checksum column.
  '',
  // `wait` is the number of milliseconds between the last change of `next` and `next`. NULL for work of an earlier release.
  // That work counts a retry for each claim, which is at least the number of its retries.
  `ALTER TABLE work ADD COLUMN wait INTEGER;
   ALTER TABLE work ADD COLUMN retries INTEGER NOT NULL DEFAULT 0;
   UPDATE work SET retries = attempt;`,
];

/** The schema of the keys' file. A personal key that was destroyed is NULL. */
export const KEY_MIGRATIONS: readonly string[] = [
  `CREATE TABLE service_keys (name TEXT PRIMARY KEY, key BLOB NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE personal_keys (name TEXT PRIMARY KEY, key BLOB) STRICT, WITHOUT ROWID;`,
  // The digest detects a changed service key. Personal keys need no digest, because decryption with a changed key fails.
  `ALTER TABLE service_keys ADD COLUMN digest BLOB;`,
  // Milliseconds since 1970. NULL for keys that an earlier release created.
  `ALTER TABLE service_keys ADD COLUMN created INTEGER;`,
  // Milliseconds since 1970. NULL for keys that are used from their creation on.
  `ALTER TABLE service_keys ADD COLUMN activates INTEGER;`,
  // The ids of the requests that added a key and that ended its wait, as a JSON array.
  `ALTER TABLE service_keys ADD COLUMN requests TEXT NOT NULL DEFAULT '[]';`,
];

/** The schema of the ledger's file. The row of `sweeps` has the reference up to which unused instruments have been deleted. */
export const LEDGER_MIGRATIONS: readonly string[] = [
  `CREATE TABLE instruments (reference TEXT PRIMARY KEY, outcome TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE charges (
     idempotency_key TEXT PRIMARY KEY, reference TEXT NOT NULL, amount TEXT NOT NULL, currency TEXT NOT NULL, outcome TEXT NOT NULL,
     charged_at TEXT NOT NULL, refunded_at TEXT
   ) STRICT;`,
  `ALTER TABLE instruments ADD COLUMN purpose TEXT;
   CREATE INDEX charges_by_reference ON charges (reference);
   CREATE TABLE sweeps (swept_up_to TEXT NOT NULL) STRICT;
   INSERT INTO sweeps VALUES ('');`,
];

/** Migrates a file to the current version, one transaction per step. Throws FolderRefused for a newer version. */
export const migrate = (database: Database, migrations: readonly string[]): void => {
  const version = versionOf(database);
  if (version > migrations.length) throw newerVersion(version, migrations.length);
  for (let next = version; next < migrations.length; next++) {
    database.transaction(() => {
      // Another process may have migrated the file before this transaction.
      if (versionOf(database) === next) database.connection.exec(`${migrations[next] ?? ''}; PRAGMA user_version = ${next + 1}`);
    });
  }
};

const versionOf = ({ connection }: Database): number => Number(connection.prepare('PRAGMA user_version').get()?.['user_version']);

const newerVersion = (version: number, supported: number): FolderRefused =>
  new FolderRefused(
    'newer',
    `the folder was written by a newer version of this software (its format is ${version}, this version reads up to ${supported}): ` +
      'start the newer version, or restore a backup that an earlier version made',
  );
