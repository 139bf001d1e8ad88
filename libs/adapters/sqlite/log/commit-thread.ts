import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { existingFile } from '../folder/database.js';
import type { RecordedWrites } from '../folder/recorded-writes.js';

/** How long the main thread waits for a commit before it throws StoreUnavailable. */
const COMMIT_TIMEOUT_MILLISECONDS = 5_000;

/**
 * The disk is nearly full if its free space is less than the size of the write-ahead log plus this margin. The thread then
 * checkpoints and truncates the write-ahead log.
 */
const MARGIN_BYTES = 16_777_216;
/** The free space is checked when the write-ahead log has grown by this many bytes. */
const CHECK_BYTES = 1_048_576;
/** The free space is also checked when this time has passed since the last check. */
const CHECK_MILLISECONDS = 1_000;
/**
 * Maximum number of pending space checks. Without this limit, a caller could fill the disk by writing
 * faster than the thread checks the space.
 */
const MAX_PENDING_CHECKS = 16;
/** When too many space checks are pending, the caller waits for the thread at most this long. */
const CHECK_TIMEOUT_MILLISECONDS = 250;
/** How long a truncating checkpoint waits for readers. The time is short, because commits wait for the checkpoint. */
const READER_WAIT_MILLISECONDS = 20;

/**
 * The outcome of a commit. `refused`: SQLite reported an error and wrote nothing. `unknown`: the thread died
 * during the commit.
 */
export type CommitOutcome =
  | { readonly kind: 'committed' }
  | { readonly kind: 'refused'; readonly message: string; readonly errcode: number | undefined }
  | { readonly kind: 'unknown' };

/**
 * The source code of the thread. It is a string and not a file, because the path of a file would end in `.js` in the compiled
 * service, but in `.ts` in tests.
 */
const SOURCE = `
const { statfsSync, statSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const { path, file, pragmas, port, state } = workerData;
const database = new DatabaseSync(new URL(file));
database.exec(pragmas);
const begin = database.prepare('BEGIN IMMEDIATE');
const commit = database.prepare('COMMIT');
const statements = [];
const commitAll = ({ ids, values }) => {
  begin.run();
  let from = 0;
  for (const id of ids) {
    const { statement, arity } = statements[id];
    statement.run(...values.slice(from, from + arity));
    from += arity;
  }
  commit.run();
};
const rollBack = () => {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {}
};
const wal = path + '-wal';
const { timeout } = database.prepare('PRAGMA busy_timeout').get();
const truncateLog = () => {
  database.exec('PRAGMA busy_timeout = ${READER_WAIT_MILLISECONDS}');
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get().busy === 0;
  } finally {
    database.exec('PRAGMA busy_timeout = ' + timeout);
  }
};
let checkedSize = 0;
let nextCheck = 0;
const checkFreeSpace = () => {
  try {
    const { size } = statSync(wal);
    if (size < checkedSize + ${CHECK_BYTES} && Date.now() < nextCheck) return;
    checkedSize = size;
    nextCheck = Date.now() + ${CHECK_MILLISECONDS};
    const { bavail, bsize } = statfsSync(wal);
    if (size === 0 || bavail * bsize >= size + ${MARGIN_BYTES}) return;
    if (truncateLog()) checkedSize = 0;
  } catch {}
};
checkFreeSpace();
port.on('message', (message) => {
  if (message === 'check space') {
    checkFreeSpace();
    Atomics.add(state, 1, 1);
    Atomics.notify(state, 1);
    return;
  }
  if (message === 'stop') {
    database.close();
    port.close();
    return;
  }
  if (message === 'checkpoint') {
    try {
      database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {}
    return;
  }
  let outcome;
  try {
    rollBack();
    for (const { sql, arity } of message.added) statements.push({ statement: database.prepare(sql), arity });
    commitAll(message);
    outcome = { kind: 'committed' };
  } catch (error) {
    rollBack();
    outcome = { kind: 'refused', message: error.message, errcode: error.errcode };
  }
  port.postMessage(outcome);
  Atomics.store(state, 0, message.number);
  Atomics.notify(state, 0);
  checkFreeSpace();
});`;

/**
 * Commits recorded transactions in its own thread, one at a time, so that the main thread can serve requests meanwhile. On a
 * nearly full disk, the thread checkpoints and truncates the write-ahead log early. Otherwise that log could fill the disk.
 * The database file could then not grow, and no checkpoint would be possible.
 */
export class CommitThread {
  private readonly worker: Worker;
  private readonly port: MessagePort;
  /** Shared with the thread. Item 0 is the number of the last finished commit, item 1 is the count of finished space checks. */
  private readonly state = new Int32Array(new SharedArrayBuffer(8));
  /** The number of the last commit that was sent to the thread. Like an item of `state`, it overflows at 32 bits. */
  private commitNumber = 0;
  /** The count of space checks that were requested. */
  private requestedChecks = 0;
  /** How many statements were sent to the thread. */
  private sentStatements = 0;
  private readonly ended: Promise<void>;
  private onOutcome: ((outcome: CommitOutcome) => void) | null = null;
  private hasEnded = false;

  /** `pragmas` configure the thread's connection to the file at `path`. */
  constructor(path: string, pragmas: string) {
    const { port1, port2 } = new MessageChannel();
    const workerData = { path, file: existingFile(path), pragmas, port: port2, state: this.state };
    this.worker = new Worker(SOURCE, { eval: true, workerData, transferList: [port2], execArgv: ['--no-warnings'] });
    this.port = port1;
    this.port.on('message', (outcome: CommitOutcome) => this.finish(outcome));
    this.port.unref();
    this.worker.on('error', () => this.onExit());
    this.ended = new Promise((resolve) => this.worker.once('exit', () => resolve(this.onExit())));
    this.worker.unref();
  }

  isUsable(): boolean {
    return !this.hasEnded;
  }

  isBusy(): boolean {
    return this.onOutcome !== null;
  }

  /**
   * Writes the transaction atomically and durably, then calls `onOutcome`. Call it only when no other commit is in progress.
   */
  commit({ statements, values, statementTable }: RecordedWrites, onOutcome: (outcome: CommitOutcome) => void): void {
    this.onOutcome = onOutcome;
    // Keeps the process alive during a commit.
    this.port.ref();
    this.commitNumber = (this.commitNumber + 1) | 0;
    const added = statementTable.list.slice(this.sentStatements);
    this.sentStatements = statementTable.list.length;
    this.port.postMessage({ number: this.commitNumber, added, ids: statements, values });
  }

  /**
   * Blocks until the commit in progress is finished, so that the next writer sees its result. Throws
   * StoreUnavailable after a timeout.
   */
  waitForCommit(): void {
    if (!this.onOutcome) return;
    // The thread sends the outcome of a commit before it stores the commit's number in `state`. So it may store the number of
    // the previous commit during this wait. `Atomics.wait` then returns too early, so the loop waits again.
    for (let seen = Atomics.load(this.state, 0); seen !== this.commitNumber; seen = Atomics.load(this.state, 0))
      if (Atomics.wait(this.state, 0, seen, COMMIT_TIMEOUT_MILLISECONDS) === 'timed-out') break;
    const received = receiveMessageOnPort(this.port);
    if (!received) throw new StoreUnavailable('the disk did not complete a commit in time');
    this.finish(received.message as CommitOutcome);
  }

  /** Calls `onOutcome` now if the thread has finished the commit. If not, a message event calls `onOutcome` later. */
  poll(): void {
    if (!this.onOutcome || Atomics.load(this.state, 0) !== this.commitNumber) return;
    const received = receiveMessageOnPort(this.port);
    if (received) this.finish(received.message as CommitOutcome);
  }

  /**
   * Checkpoints the write-ahead log between two commits, so that the next commit writes to the beginning of the
   * log file again.
   */
  checkpoint(): void {
    this.port.postMessage('checkpoint');
  }

  /**
   * Makes the thread truncate the write-ahead log if the disk is nearly full. Call it after another connection has written.
   */
  checkSpace(): void {
    if (this.hasEnded) return;
    this.port.postMessage('check space');
    this.requestedChecks = (this.requestedChecks + 1) | 0;
    const checked = Atomics.load(this.state, 1);
    if (((this.requestedChecks - checked) | 0) > MAX_PENDING_CHECKS) Atomics.wait(this.state, 1, checked, CHECK_TIMEOUT_MILLISECONDS);
  }

  /** Ends the thread. Call it only when no commit is in progress. */
  async close(): Promise<void> {
    if (!this.hasEnded) {
      this.hasEnded = true;
      this.worker.ref();
      this.port.postMessage('stop');
    }
    await this.ended;
    this.port.close();
  }

  private finish(outcome: CommitOutcome): void {
    const { onOutcome } = this;
    this.onOutcome = null;
    this.port.unref();
    onOutcome?.(outcome);
  }

  private onExit(): void {
    this.hasEnded = true;
    if (!this.onOutcome) return;
    const received = receiveMessageOnPort(this.port);
    this.finish((received?.message as CommitOutcome | undefined) ?? { kind: 'unknown' });
  }
}
