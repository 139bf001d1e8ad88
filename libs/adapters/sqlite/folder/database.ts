import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { StatementTable, RecordedWrites } from '../commits/recorded-writes.js';
import { IN_MEMORY } from './file-names.js';
import { FolderRefused } from './refused.js';

/**
 * Maximum number of cached statements. A full cache is cleared. Only conditions with `in` could need more statements, because
 * each length of the list needs a statement of its own.
 */
const MAX_STATEMENTS = 1000;

/** How long a statement waits for the lock of another connection. */
const BUSY_MILLISECONDS = 5_000;

/**
 * synchronous = FULL: a commit is durable when it returns. secure_delete: deleted data is overwritten. temp_store = MEMORY:
 * SQLite writes no temporary files, which could keep rows after a query.
 */
export const PRAGMAS = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA busy_timeout = ${BUSY_MILLISECONDS}; PRAGMA temp_store = MEMORY`;

/**
 * Returns the URL with which a thread opens a file that exists. A thread may open it after the folder was replaced. It must then
 * fail: with a path, SQLite would create the file in the other folder.
 */
export const existingFile = (path: string): string => {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', 'rw');
  return url.href;
};

/** For each savepoint of a transaction that the commit thread refused, by its name: the reason. */
export type FailedSavepoints = ReadonlyMap<string, string>;

/** A transaction while it is recorded. */
type Recording = { readonly writes: RecordedWrites; readonly failedSavepoints: FailedSavepoints | undefined };

/** A connection with its prepared statements and transactions. */
export class Database {
  private readonly statements = new Map<string, StatementSync>();
  private readonly statementTable = new StatementTable();
  private recording: Recording | null = null;

  /** The number of rollbacks. A cache is cleared when it sees a new number, because it may contain data that was rolled back. */
  rollbacks = 0;

  constructor(readonly connection: DatabaseSync) {}

  /** Returns the prepared statement of an SQL text. */
  statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (!statement) {
      if (this.statements.size >= MAX_STATEMENTS) this.statements.clear();
      this.statements.set(sql, (statement = this.connection.prepare(sql)));
    }
    return statement;
  }

  /** Runs a write, or records it during `record`. */
  write(sql: string, ...values: SQLInputValue[]): void {
    if (this.recording) this.recording.writes.add(sql, values);
    else this.statement(sql).run(...values);
  }

  isRecording(): boolean {
    return this.recording !== null;
  }

  /** Returns whether `work` is recorded again, after the commit thread has refused what was recorded before. */
  isRetry(): boolean {
    return this.recording?.failedSavepoints !== undefined;
  }

  /**
   * Records the writes of `work` without running them: the commit thread runs them later. `work` reads only committed data, so
   * its writes must not depend on each other. Rethrows what `work` throws. `failedSavepoints` is present if the thread has refused an
   * earlier recording of `work`: those savepoints throw their reason instead of running.
   */
  record(work: () => void, failedSavepoints?: FailedSavepoints): RecordedWrites {
    const writes = new RecordedWrites(this.statementTable);
    this.recording = { writes, failedSavepoints };
    try {
      work();
      return writes;
    } finally {
      this.recording = null;
    }
  }

  /**
   * Runs `work` in a transaction on this connection, and therefore blocks the main thread until the disk has everything. Only
   * for a store in memory, and while a store is opened or rebuilt. If `work` throws, rolls back and rethrows the error.
   */
  transaction<T>(work: () => T): T {
    this.rollBack();
    this.statement('BEGIN IMMEDIATE').run();
    try {
      const result = work();
      this.statement('COMMIT').run();
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /**
   * Runs `work` in a savepoint of the open or recorded transaction. If `work` throws, only its own writes are rolled back. `name` is
   * unique in the transaction: if the commit thread refuses a write of a savepoint, the savepoint throws when it is recorded again.
   */
  savepoint<T>(name: string, work: () => T): T {
    return this.recording ? this.recordSavepoint(this.recording, name, work) : this.runSavepoint(work);
  }

  close(): void {
    this.statements.clear();
    if (this.connection.isOpen) this.connection.close();
  }

  private recordSavepoint<T>({ writes, failedSavepoints }: Recording, name: string, work: () => T): T {
    const failure = failedSavepoints?.get(name);
    if (failure !== undefined) throw new Error(failure);
    try {
      return writes.addSavepoint(name, work);
    } catch (error) {
      this.rollbacks++;
      throw error;
    }
  }

  private runSavepoint<T>(work: () => T): T {
    this.statement('SAVEPOINT inner').run();
    try {
      const result = work();
      this.statement('RELEASE inner').run();
      return result;
    } catch (error) {
      this.rollbacks++;
      // On a full disk, SQLite has already rolled back the whole transaction, including the savepoint.
      if (this.connection.isTransaction) this.connection.exec('ROLLBACK TO inner; RELEASE inner');
      throw error;
    }
  }

  private rollBack(): void {
    if (!this.connection.isTransaction) return;
    this.rollbacks++;
    try {
      this.connection.exec('ROLLBACK');
    } catch {
      // The rollback may fail on a failing disk. Uncommitted writes are lost either way, and the next
      // transaction rolls back again.
    }
  }
}

/** Opens a database file of a folder. Creates the folder and the file if missing, with access for the owner only. */
export const openDatabase = (directory: string, file: string): Database => {
  const path = directory === IN_MEMORY ? IN_MEMORY : prepareFile(directory, file);
  return orUnusable(directory, file, () => new Database(configure(new DatabaseSync(path))));
};

/**
 * Creates the folder if missing. Only its owner gets access. A folder with files of other programs, like /tmp, keeps its
 * permissions, because those programs rely on them.
 */
export const prepareFolder = (directory: string): void =>
  orUnusable(directory, 'the folder', () => {
    // Without `resolve`, a path such as a/../b could only be used if a exists.
    const folder = resolve(directory);
    makeFolder(folder);
    if (!statSync(folder).isDirectory()) throw new Error('it is a file');
    if (readdirSync(folder).every(isStoreFile)) chmodSync(folder, 0o700);
  });

/** Matches the files that a service or a backup writes, and `lost+found` in the root folder of a new disk. */
const STORE_FILES_PATTERN =
  /^((petstore|keys|gateway|lock)\.sqlite|holder\.json|store-id\.json)|^(ALTERED-HISTORY\.txt|\.room|lost\+found)$/;

const isStoreFile = (name: string): boolean => STORE_FILES_PATTERN.test(name);

/**
 * Creates a folder and its parents. It replaces Node's recursive mkdir, which hangs where no folder can be created, as in /proc.
 */
const makeFolder = (directory: string): void => {
  if (existsSync(directory)) return;
  makeFolder(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
    // The umask may have taken permissions away.
    chmodSync(directory, 0o700);
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!existsSync(directory)) throw error;
  }
};

/**
 * Creates the file with mode 0600, or sets the mode. Returns the file's path. SQLite gives its -wal and -shm
 * files the same mode. An existing file is not opened, because closing it would release all locks that this
 * process has on the file.
 */
export const prepareFile = (directory: string, file: string): string =>
  orUnusable(directory, file, () => {
    prepareFolder(directory);
    const path = join(directory, file);
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    // The umask may have taken permissions away, and an earlier release may have given more.
    chmodSync(path, 0o600);
    return path;
  });

/** Runs `work`. Throws its errors as FolderRefused. */
const orUnusable = <T>(directory: string, file: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (error instanceof FolderRefused) throw error;
    throw new FolderRefused('unusable', `${directory} cannot be used: ${file}: ${reasonOf(error)}`, { cause: error });
  }
};

const configure = (connection: DatabaseSync): DatabaseSync => {
  connection.exec(PRAGMAS);
  return connection;
};
