import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { KnownStatements, RecordedWrites } from './recorded-writes.js';
import { FolderRefused } from './refused.js';

/** Keeps nothing on disk. */
export const IN_MEMORY = ':memory:';

/** The file of the log, the read models and the stored positions. */
export const STORE_FILE = 'petstore.sqlite';
/** The file of the keys: apart from the log, so that a copy of the log is no copy of the keys. */
export const KEYS_FILE = 'keys.sqlite';
/** The file of the payment gateway's ledger. */
export const LEDGER_FILE = 'gateway.sqlite';

/** More than any set of queries this software makes; only lists of many lengths could reach it. */
const STATEMENTS_KEPT = 1000;

/**
 * FULL: a commit is on the disk when it returns. secure_delete: what is deleted is overwritten. Sorting never spills to
 * a file, where its rows would outlive the query.
 */
export const PRAGMAS =
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA busy_timeout = 5000; PRAGMA temp_store = MEMORY';

/** One connection, its prepared statements and its transactions. */
export class Database {
  private readonly statements = new Map<string, StatementSync>();
  private readonly known = new KnownStatements();
  private recorded: RecordedWrites | null = null;

  /** Called before every transaction: waits here while another thread writes. */
  beforeTransaction: () => void = () => undefined;

  /** Called after every transaction, whatever came of it. */
  afterTransaction: () => void = () => undefined;

  /** How often work was rolled back: a cache compares it to know whether what it read still holds. */
  undone = 0;

  constructor(readonly connection: DatabaseSync) {}

  /** The statement, prepared once. */
  statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (!statement) {
      if (this.statements.size >= STATEMENTS_KEPT) this.statements.clear();
      this.statements.set(sql, (statement = this.connection.prepare(sql)));
    }
    return statement;
  }

  /** Runs a statement that writes; while writes are recorded it is taken down instead. */
  write(sql: string, ...values: SQLInputValue[]): void {
    if (this.recorded) this.recorded.add(sql, values);
    else this.statement(sql).run(...values);
  }

  isRecording(): boolean {
    return this.recorded !== null;
  }

  /**
   * What the work would write, and nothing of it written. It reads what was committed before, so its writes must follow
   * from that alone. What the work throws goes on to the caller.
   */
  record(work: () => void): RecordedWrites {
    const recorded = (this.recorded = new RecordedWrites(this.known));
    try {
      work();
      return recorded;
    } finally {
      this.recorded = null;
    }
  }

  /** All of the work or none of it, on the disk when it returns; what the work throws goes on to the caller. */
  transaction<T>(work: () => T): T {
    this.beforeTransaction();
    this.abandon();
    this.statement('BEGIN IMMEDIATE').run();
    try {
      const result = work();
      this.statement('COMMIT').run();
      return result;
    } catch (error) {
      this.abandon();
      throw error;
    } finally {
      this.afterTransaction();
    }
  }

  /** A part of the open (or recorded) transaction that is undone on its own when it throws. */
  part<T>(work: () => T): T {
    return this.recorded ? this.recordedPart(this.recorded, work) : this.savedPart(work);
  }

  close(): void {
    this.statements.clear();
    if (this.connection.isOpen) this.connection.close();
  }

  private recordedPart<T>(recorded: RecordedWrites, work: () => T): T {
    const before = recorded.mark();
    try {
      return work();
    } catch (error) {
      this.undone++;
      recorded.backTo(before);
      throw error;
    }
  }

  private savedPart<T>(work: () => T): T {
    this.statement('SAVEPOINT part').run();
    try {
      const result = work();
      this.statement('RELEASE part').run();
      return result;
    } catch (error) {
      this.undone++;
      // A full disk ends the whole transaction, and the savepoint with it.
      if (this.connection.isTransaction) this.connection.exec('ROLLBACK TO part; RELEASE part');
      throw error;
    }
  }

  private abandon(): void {
    if (!this.connection.isTransaction) return;
    this.undone++;
    try {
      this.connection.exec('ROLLBACK');
    } catch {
      // A failing disk may fail this as well. What was not committed is gone either way, and the next transaction asks again.
    }
  }
}

/** Opens a database file of the folder, or makes both, for their owner's eyes only. */
export const openDatabase = (directory: string, file: string): Database => {
  const path = directory === IN_MEMORY ? IN_MEMORY : ownFile(directory, file);
  return usable(directory, file, () => new Database(configured(new DatabaseSync(path))));
};

/**
 * Makes the folder when it is missing; nobody but its owner may look into it. One that holds somebody else's files as well,
 * as /tmp or a home does, keeps the permissions that its other users count on: the store's files are their owner's alone.
 */
export const ownFolder = (directory: string): void =>
  usable(directory, 'the folder', () => {
    makeFolder(resolve(directory));
    if (!statSync(directory).isDirectory()) throw new Error('it is a file');
    if (readdirSync(directory).every(isOurs)) chmodSync(directory, 0o700);
  });

/** What a store, a copy and the making of either leave in a folder, and what a disk of its own has from the beginning. */
const OURS = /^((petstore|keys|gateway|lock)\.sqlite|holder\.json|store-id\.json)|^(ALTERED-HISTORY\.txt|\.room|lost\+found)$/;

const isOurs = (name: string): boolean => OURS.test(name);

/** Node's own way of making a folder's parents never ends where the system refuses them as missing, as it does in /proc. */
const makeFolder = (directory: string): void => {
  if (existsSync(directory)) return;
  makeFolder(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(directory)) throw error;
  }
};

/**
 * The file's path, once it exists and is its owner's alone; SQLite gives the files beside it the same permissions.
 * It is opened only to be made: closing a file drops every lock that this process holds on it.
 */
export const ownFile = (directory: string, file: string): string =>
  usable(directory, file, () => {
    ownFolder(directory);
    const path = join(directory, file);
    if (existsSync(path)) chmodSync(path, 0o600);
    else closeSync(openSync(path, 'a', 0o600));
    return path;
  });

const usable = <T>(directory: string, file: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (error instanceof FolderRefused) throw error;
    throw new FolderRefused('unusable', `${directory} cannot be used: ${file}: ${reasonOf(error)}`, { cause: error });
  }
};

const configured = (connection: DatabaseSync): DatabaseSync => {
  connection.exec(PRAGMAS);
  return connection;
};
