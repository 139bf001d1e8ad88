import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const FILE = 'gateway.sqlite';
const SCHEMA_VERSION = 2;

const SCHEMA = `
  CREATE TABLE instruments (
    reference TEXT PRIMARY KEY,
    outcome TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE charges (
    idempotency_key TEXT PRIMARY KEY,
    reference TEXT NOT NULL,
    amount TEXT NOT NULL,
    currency TEXT NOT NULL,
    outcome TEXT NOT NULL,
    charged_at TEXT NOT NULL,
    refunded_at TEXT
  ) STRICT;
`;

/**
 * Migrates version 1 to 2. The row of `sweeps` contains the reference up to which unused instruments have been deleted.
 */
const MIGRATION_TO_2 = `
  ALTER TABLE instruments ADD COLUMN purpose TEXT;
  CREATE INDEX charges_by_reference ON charges (reference);
  CREATE TABLE sweeps (swept_up_to TEXT NOT NULL) STRICT;
  INSERT INTO sweeps VALUES ('');
`;

/** Returns whether a folder has a ledger file. */
export const hasLedgerFile = (directory: string): boolean => existsSync(join(directory, FILE));

/**
 * Creates the file with mode 0600 before any data is written. SQLite gives the -wal and -shm files the same
 * mode.
 */
const createOwnerOnlyFile = (directory: string): string => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, FILE);
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  return file;
};

const migrate = (database: DatabaseSync): void => {
  // Two processes may open the file at the same time. The lock makes the second process wait until the tables exist.
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version > SCHEMA_VERSION)
      throw new Error(
        `${FILE} has format ${version}, written by a newer version of the service; this version reads format ${SCHEMA_VERSION}: start the newer version, or restore a backup`,
      );
    if (version === 0) database.exec(SCHEMA);
    if (version < SCHEMA_VERSION) database.exec(`${MIGRATION_TO_2} PRAGMA user_version = ${SCHEMA_VERSION}`);
    database.exec('COMMIT');
  } catch (fault) {
    database.exec('ROLLBACK');
    throw fault;
  }
};

/**
 * Opens the ledger file of a folder. Creates the folder and the file if they are missing. `:memory:` opens a ledger
 * without a file.
 */
export const openLedgerFile = (directory: string): DatabaseSync => {
  const database = new DatabaseSync(directory === ':memory:' ? directory : createOwnerOnlyFile(directory), { timeout: 5000 });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
    migrate(database);
    return database;
  } catch (fault) {
    database.close();
    throw fault;
  }
};
