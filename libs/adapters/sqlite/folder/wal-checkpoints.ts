import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import type { CommitPart } from '../log/log-writer.js';
import type { Database } from './database.js';

/** Rows written between two checkpoints: some megabytes. */
const ROWS = 4_000;
/** What was written is carried over after this time even when little follows it. */
const QUIET_MILLISECONDS = 5_000;
/** After a failure, of a commit or of carrying over, it is tried again this soon. */
const RETRY_MILLISECONDS = 1_000;
/** Pages (64 MiB) beyond which the log file is begun anew: the rest is then carried over between two commits. */
const LONG = 16_384;
/** SQLite's own way, when the thread is gone: at every commit that makes the file longer than so many pages. */
const FALLBACK = 'PRAGMA wal_autocheckpoint = 1000';

type Report = { readonly pages: number; readonly done: number } | { readonly failed: string };

/** Kept as text, so that it runs alike from compiled files and from sources that a test runner compiles. */
const SOURCE = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(workerData, { timeout: 0 });
const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
parentPort.on('message', (message) => {
  if (message === 'stop') {
    database.close();
    parentPort.close();
    return;
  }
  try {
    const { log, checkpointed } = checkpoint.get();
    parentPort.postMessage({ pages: log, done: checkpointed });
  } catch (error) {
    parentPort.postMessage({ failed: error.message });
  }
});`;

/**
 * Carries committed pages from the write-ahead log into the database file in a thread of its own: done by a commit, it
 * would make that commit wait for the disk many times over. Never waits for a writer and never makes one wait.
 */
export class WalCheckpoints implements CommitPart {
  private readonly worker: Worker;
  private readonly stopped: Promise<void>;
  private rows = 0;
  private state: 'idle' | 'busy' | 'gone' = 'idle';
  private cancelTimer: (() => void) | null = null;
  /** Whether the last attempt came to nothing. */
  private failing = false;

  constructor(
    private readonly database: Database,
    path: string,
    /** Where commits are made, between two of them. */
    private readonly betweenCommits: () => void,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    database.connection.exec('PRAGMA wal_autocheckpoint = 0');
    this.worker = new Worker(SOURCE, { eval: true, workerData: path, execArgv: ['--no-warnings'] });
    this.worker.on('message', (report: Report) => this.reported(report));
    this.worker.on('error', (error) => this.lost(error));
    this.stopped = new Promise((resolve) => this.worker.once('exit', () => resolve()));
    this.worker.unref();
  }

  inside(): void {
    // Nothing of this is part of a commit.
  }

  needsItsTransaction(): boolean {
    return false;
  }

  committed(rows: number): void {
    this.rows += rows;
    if (this.rows >= ROWS) this.ask();
    else if (this.rows > 0) this.askAfter(QUIET_MILLISECONDS);
  }

  /** A disk may be full of the log file alone: what is carried over makes room in it, and no commit will ask for that. */
  rolledBack(): void {
    this.askAfter(RETRY_MILLISECONDS);
  }

  /** Ends the thread; carries over what is left, and leaves an empty log file behind. */
  async close(): Promise<void> {
    this.cancelTimer?.();
    if (this.state !== 'gone') {
      this.state = 'gone';
      // A process that waits for the thread must not end before it.
      this.worker.ref();
      this.worker.postMessage('stop');
    }
    await this.stopped;
    try {
      this.database.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      this.log.warn({ reason: reasonOf(error) }, 'the write-ahead log could not be carried over; the next start does it');
    }
  }

  private askAfter(milliseconds: number): void {
    if (this.state !== 'gone') this.cancelTimer ??= this.clock.after(milliseconds, () => this.ask());
  }

  private ask(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
    if (this.state !== 'idle') return;
    this.state = 'busy';
    this.rows = 0;
    this.worker.postMessage('checkpoint');
  }

  private reported(report: Report): void {
    if (this.state === 'busy') this.state = 'idle';
    if ('failed' in report) {
      // Said once, though it is tried every second.
      if (!this.failing) this.log.warn({ reason: report.failed }, 'the write-ahead log could not be carried over; it will be tried again');
      this.failing = true;
      this.askAfter(RETRY_MILLISECONDS);
      return;
    }
    this.failing = false;
    if (this.rows > 0) this.askAfter(QUIET_MILLISECONDS);
    if (report.pages > LONG && this.state !== 'gone') this.beginAnew();
  }

  /** A writer begins the file anew once nothing in it is left to carry over; the thread has left only the newest pages. */
  private beginAnew(): void {
    try {
      this.betweenCommits();
    } catch (error) {
      this.log.warn({ reason: reasonOf(error) }, 'the write-ahead log could not be begun anew; it will be tried again');
    }
  }

  private lost(error: unknown): void {
    if (this.state === 'gone') return;
    this.state = 'gone';
    this.log.warn({ reason: reasonOf(error) }, 'checkpoints have no thread of their own; commits do them from now on');
    this.database.connection.exec(FALLBACK);
  }
}
