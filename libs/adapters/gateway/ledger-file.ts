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

/** From version 1 to version 2: what an instrument is for, and how far unused ones were looked for. */
const WITH_PURPOSES = `
  ALTER TABLE instruments ADD COLUMN purpose TEXT;
  CREATE INDEX charges_by_reference ON charges (reference);
  CREATE TABLE sweeps (swept_up_to TEXT NOT NULL) STRICT;
  INSERT INTO sweeps VALUES ('');
`;

/** Whether a folder has a ledger. */
export const hasLedgerFile = (directory: string): boolean => existsSync(join(directory, FILE));

/** Owner-only from its first byte on; SQLite gives the files beside it the same permissions. */
const ownerOnlyFile = (directory: string): string => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, FILE);
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  return file;
};

const migrate = (database: DatabaseSync): void => {
  // One process makes the tables, another that opens at the same time finds them made.
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version > SCHEMA_VERSION)
      throw new Error(
        `${FILE} was written by a newer version of the store (${version}); this one reads ${SCHEMA_VERSION}: start that version, or restore a backup`,
      );
    if (version === 0) database.exec(SCHEMA);
    if (version < SCHEMA_VERSION) database.exec(`${WITH_PURPOSES} PRAGMA user_version = ${SCHEMA_VERSION}`);
    database.exec('COMMIT');
  } catch (fault) {
    database.exec('ROLLBACK');
    throw fault;
  }
};

/** Opens the ledger of a folder, which is made when it is missing, or for `:memory:` one without a file. */
export const openLedgerFile = (directory: string): DatabaseSync => {
  const database = new DatabaseSync(directory === ':memory:' ? directory : ownerOnlyFile(directory), { timeout: 5000 });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
    migrate(database);
    return database;
  } catch (fault) {
    database.close();
    throw fault;
  }
};
