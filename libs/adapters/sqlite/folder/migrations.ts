import type { Database } from './database.js';
import { FolderRefused } from './refused.js';

/**
 * The schema of the log's file. Each entry migrates a file to the next version, which PRAGMA user_version
 * stores. Entries are never changed, only added. `metadata` precedes `data`, so that reading it skips the
 * pages of large events.
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
  // Times are milliseconds since 1970. `next` is when work may be claimed: its due time, or the end of a
  // claim; NULL when done.
  `CREATE TABLE work (
     queue TEXT NOT NULL, id TEXT NOT NULL, lane TEXT NOT NULL, data TEXT NOT NULL, attempt INTEGER NOT NULL, next INTEGER, done INTEGER,
     PRIMARY KEY (queue, id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX work_due ON work (queue, next, lane) WHERE next IS NOT NULL;
   CREATE INDEX work_done ON work (done) WHERE done IS NOT NULL;`,
  `CREATE INDEX work_by_lane ON work (queue, lane, next) WHERE next IS NOT NULL;`,
  // Document tables have a check value in a column that `Collections` adds. An older version would not write
  // it.
  '',
];

/** The schema of the keys' file. A NULL personal key was destroyed. */
export const KEY_MIGRATIONS: readonly string[] = [
  `CREATE TABLE service_keys (name TEXT PRIMARY KEY, key BLOB NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE personal_keys (name TEXT PRIMARY KEY, key BLOB) STRICT, WITHOUT ROWID;`,
  // A wrong personal key is detected, because it cannot decrypt. A wrong service key is not, so a digest
  // verifies it.
  `ALTER TABLE service_keys ADD COLUMN digest BLOB;`,
];

/** Migrates an older file, one transaction per step. Throws for a newer one. */
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

const newerVersion = (version: number, known: number): FolderRefused =>
  new FolderRefused(
    'newer',
    `the folder was written by a newer version of this software (its format is ${version}, this version knows up to ${known}): ` +
      'start that version, or restore a backup made before it',
  );
