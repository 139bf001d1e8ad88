/**
 * The program of the thread that CommitThread starts. It runs the recorded transactions of one file, one after the other, on a
 * connection of its own.
 */
import { statfsSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { workerData, type MessagePort } from 'node:worker_threads';
import type { WriteStatement } from './recorded-writes.js';

/** `path` is the path of the file, `file` its URL. */
export type CommitThreadData = {
  readonly path: string;
  readonly file: string;
  /** They configure the connection. */
  readonly pragmas: string;
  readonly port: MessagePort;
  /** Shared with the main thread: its only item is the number of the last finished commit. */
  readonly state: Int32Array;
};

/** A transaction to commit. `added` are the statements that are new since the last one. */
export type CommitRequest = {
  readonly number: number;
  readonly added: readonly WriteStatement[];
  readonly ids: readonly number[];
  readonly values: readonly SQLInputValue[];
};

/**
 * The outcome of a commit. `refused`: SQLite reported an error and wrote nothing; `statement` is the index of the statement that
 * failed, or undefined if none did.
 */
export type CommitReport =
  | { readonly kind: 'committed' }
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly errcode: number | undefined;
      readonly statement: number | undefined;
    };

/** The answer to `truncate`: whether the write-ahead log is empty. */
export type TruncateReport = { readonly kind: 'truncated'; readonly isEmpty: boolean };

/** The disk is nearly full if its free space is less than the size of the write-ahead log plus this margin. */
const MARGIN_BYTES = 16_777_216;
/** The free space is checked when the write-ahead log has grown by this many bytes. */
const CHECK_BYTES = 1_048_576;
/** The free space is also checked when this time has passed since the last check. */
const CHECK_MILLISECONDS = 1_000;
/** How long a truncating checkpoint waits for readers. The time is short, because commits wait for the checkpoint. */
const READER_WAIT_MILLISECONDS = 20;

const { path, file, pragmas, port, state } = workerData as CommitThreadData;
const database = new DatabaseSync(new URL(file));
database.exec(pragmas);
const begin = database.prepare('BEGIN IMMEDIATE');
const commit = database.prepare('COMMIT');
const wal = `${path}-wal`;
const timeout = Number(database.prepare('PRAGMA busy_timeout').get()?.['timeout']);

/** The statements by their ids. Each is prepared at its first use, because an earlier one of its transaction may create its table. */
const statements: { readonly sql: string; readonly arity: number; statement?: StatementSync }[] = [];
/** The index of the statement that runs. */
let current: number | undefined;

const commitAll = ({ ids, values }: CommitRequest): void => {
  begin.run();
  let from = 0;
  for (current = 0; current < ids.length; current++) {
    const known = statements[ids[current] ?? NaN];
    if (!known) throw new Error('a statement is unknown');
    known.statement ??= database.prepare(known.sql);
    known.statement.run(...values.slice(from, from + known.arity));
    from += known.arity;
  }
  current = undefined;
  commit.run();
};

const rollBack = (): void => {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {
    // It may fail on a failing disk. The next commit rolls back again.
  }
};

const refusalOf = (error: unknown): CommitReport => {
  const { message, errcode } = error as { readonly message: string; readonly errcode?: number };
  return { kind: 'refused', message, errcode, statement: current };
};

const runCommit = (request: CommitRequest): CommitReport => {
  try {
    current = undefined;
    rollBack();
    statements.push(...request.added);
    commitAll(request);
    return { kind: 'committed' };
  } catch (error) {
    rollBack();
    return refusalOf(error);
  }
};

/** Checkpoints and truncates the write-ahead log. Returns whether no reader has prevented it. */
const truncateLog = (): boolean => {
  database.exec(`PRAGMA busy_timeout = ${READER_WAIT_MILLISECONDS}`);
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
};

/** Returns the result of `work`, or the value of `otherwise` if it throws: no commit may fail because of what follows it. */
const attempt = <T>(work: () => T, otherwise: T): T => {
  try {
    return work();
  } catch {
    return otherwise;
  }
};

let checkedSize = 0;
let nextCheck = 0;
/**
 * Truncates the write-ahead log early on a nearly full disk. Otherwise that log could fill the disk: the database file could then not
 * grow, and no checkpoint would be possible.
 */
const checkFreeSpace = (): void => {
  const { size } = statSync(wal);
  if (size < checkedSize + CHECK_BYTES && Date.now() < nextCheck) return;
  checkedSize = size;
  nextCheck = Date.now() + CHECK_MILLISECONDS;
  const { bavail, bsize } = statfsSync(wal);
  if (size === 0 || bavail * bsize >= size + MARGIN_BYTES) return;
  if (truncateLog()) checkedSize = 0;
};

const stop = (): void => {
  database.close();
  port.close();
};

attempt(checkFreeSpace, undefined);
port.on('message', (message: CommitRequest | 'checkpoint' | 'truncate' | 'stop') => {
  if (message === 'stop') return stop();
  if (message === 'checkpoint') return attempt(() => database.exec('PRAGMA wal_checkpoint(PASSIVE)'), undefined);
  if (message === 'truncate') {
    port.postMessage({ kind: 'truncated', isEmpty: attempt(truncateLog, false) } satisfies TruncateReport);
    return;
  }
  port.postMessage(runCommit(message));
  // Only now: the main thread polls this number, and then takes the report from the port.
  Atomics.store(state, 0, message.number);
  attempt(checkFreeSpace, undefined);
});
