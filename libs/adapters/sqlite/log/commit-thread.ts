import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { RecordedWrites } from '../folder/recorded-writes.js';

/** As long as a connection waits for another one's transaction. */
const PATIENCE_MILLISECONDS = 5_000;

/** The write-ahead log is carried over where the disk has less room left than that takes at most, and these bytes. */
const MARGIN_BYTES = 16_777_216;
/** Whether there is room for that is looked at when the file has grown by so many bytes, */
const LOOK_BYTES = 1_048_576;
/** and otherwise at most this often. */
const LOOK_MILLISECONDS = 1_000;
/** At most so many looks for room may be outstanding: a caller that writes faster than the thread looks could fill the disk. */
const LOOKS_BEHIND = 16;
/** Beyond that the caller waits for the thread, at most this long. */
const LOOK_PATIENCE_MILLISECONDS = 250;
/** How long carrying over waits for what others read: commits wait as long. */
const READERS_MILLISECONDS = 20;

/** What became of a commit: done, refused (SQLite's words and code; nothing was written), or unknown, since the thread is gone. */
export type CommitOutcome =
  | { readonly kind: 'committed' }
  | { readonly kind: 'refused'; readonly message: string; readonly errcode: number | undefined }
  | { readonly kind: 'unknown' };

/** Kept as text, so that it runs alike from compiled files and from sources that a test runner compiles. */
const SOURCE = `
const { statfsSync, statSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const { path, pragmas, port, state } = workerData;
const database = new DatabaseSync(path);
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
const undo = () => {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {}
};
const wal = path + '-wal';
const { timeout } = database.prepare('PRAGMA busy_timeout').get();
const carryOver = () => {
  database.exec('PRAGMA busy_timeout = ${READERS_MILLISECONDS}');
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get().busy === 0;
  } finally {
    database.exec('PRAGMA busy_timeout = ' + timeout);
  }
};
let seen = 0;
let due = 0;
const lookForRoom = () => {
  try {
    const { size } = statSync(wal);
    if (size < seen + ${LOOK_BYTES} && Date.now() < due) return;
    seen = size;
    due = Date.now() + ${LOOK_MILLISECONDS};
    const { bavail, bsize } = statfsSync(wal);
    if (size === 0 || bavail * bsize >= size + ${MARGIN_BYTES}) return;
    if (carryOver()) seen = 0;
  } catch {}
};
lookForRoom();
port.on('message', (message) => {
  if (message === 'look') {
    lookForRoom();
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
    undo();
    for (const { sql, arity } of message.added) statements.push({ statement: database.prepare(sql), arity });
    commitAll(message);
    outcome = { kind: 'committed' };
  } catch (error) {
    undo();
    outcome = { kind: 'refused', message: error.message, errcode: error.errcode };
  }
  port.postMessage(outcome);
  Atomics.store(state, 0, message.number);
  Atomics.notify(state, 0);
  lookForRoom();
});`;

/**
 * Writes recorded transactions to the file in a thread of its own, one at a time: rows, indexes and the wait for the disk
 * take no time from the thread that answers requests. Where a disk is nearly full it carries the write-ahead log over, and
 * cuts it, while there is room for that: the database file could not grow any more by what waits in a log that fills the disk.
 */
export class CommitThread {
  private readonly worker: Worker;
  private readonly port: MessagePort;
  /** The number of the last commit that the thread has answered, and how often it has looked for room when it was asked to. */
  private readonly state = new Int32Array(new SharedArrayBuffer(8));
  private number = 0;
  private looks = 0;
  /** How many of the known statements the thread has heard of. */
  private told = 0;
  private readonly ended: Promise<void>;
  private waiting: ((outcome: CommitOutcome) => void) | null = null;
  private gone = false;

  /** `pragmas` make the thread's connection to the file at `path` what it must be. */
  constructor(path: string, pragmas: string) {
    const { port1, port2 } = new MessageChannel();
    const workerData = { path, pragmas, port: port2, state: this.state };
    this.worker = new Worker(SOURCE, { eval: true, workerData, transferList: [port2], execArgv: ['--no-warnings'] });
    this.port = port1;
    this.port.on('message', (outcome: CommitOutcome) => this.conclude(outcome));
    this.port.unref();
    this.worker.on('error', () => this.lose());
    this.ended = new Promise((resolve) => this.worker.once('exit', () => resolve(this.lose())));
    this.worker.unref();
  }

  isUsable(): boolean {
    return !this.gone;
  }

  isBusy(): boolean {
    return this.waiting !== null;
  }

  /** Writes all of it or nothing, durably, and calls back. To be called when no other commit is under way. */
  commit({ statements, values, known }: RecordedWrites, concluded: (outcome: CommitOutcome) => void): void {
    this.waiting = concluded;
    // A process with a commit under way does not end.
    this.port.ref();
    this.number = (this.number + 1) | 0;
    const added = known.list.slice(this.told);
    this.told = known.list.length;
    this.port.postMessage({ number: this.number, added, ids: statements, values });
  }

  /**
   * Blocks until the commit under way is concluded: the next writer finds everything as that commit left it. Throws
   * StoreUnavailable when it takes too long.
   */
  settle(): void {
    if (!this.waiting) return;
    // The answer to the commit before may have been taken before the thread came to say that it was given.
    for (let seen = Atomics.load(this.state, 0); seen !== this.number; seen = Atomics.load(this.state, 0))
      if (Atomics.wait(this.state, 0, seen, PATIENCE_MILLISECONDS) === 'timed-out') break;
    const received = receiveMessageOnPort(this.port);
    if (!received) throw new StoreUnavailable('the disk takes too long');
    this.conclude(received.message as CommitOutcome);
  }

  /** Concludes the commit under way if it is done, sooner than the event loop comes to it. */
  look(): void {
    if (!this.waiting || Atomics.load(this.state, 0) !== this.number) return;
    const received = receiveMessageOnPort(this.port);
    if (received) this.conclude(received.message as CommitOutcome);
  }

  /** Carries the write-ahead log over between two commits, so that the next one begins the file anew. */
  checkpoint(): void {
    this.port.postMessage('checkpoint');
  }

  /** Somebody else has written to the file: carries the write-ahead log over if the room for that comes to an end. */
  lookForRoom(): void {
    if (this.gone) return;
    this.port.postMessage('look');
    this.looks = (this.looks + 1) | 0;
    const looked = Atomics.load(this.state, 1);
    if (((this.looks - looked) | 0) > LOOKS_BEHIND) Atomics.wait(this.state, 1, looked, LOOK_PATIENCE_MILLISECONDS);
  }

  /** Ends the thread. To be called when no commit is under way. */
  async close(): Promise<void> {
    if (!this.gone) {
      this.gone = true;
      this.worker.ref();
      this.port.postMessage('stop');
    }
    await this.ended;
    this.port.close();
  }

  private conclude(outcome: CommitOutcome): void {
    const { waiting } = this;
    this.waiting = null;
    this.port.unref();
    waiting?.(outcome);
  }

  private lose(): void {
    this.gone = true;
    if (!this.waiting) return;
    const received = receiveMessageOnPort(this.port);
    this.conclude((received?.message as CommitOutcome | undefined) ?? { kind: 'unknown' });
  }
}
