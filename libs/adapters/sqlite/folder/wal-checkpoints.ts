import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import type { CommitPart } from '../log/log-writer.js';
import type { Database } from './database.js';

/** Rows between two checkpoints: some megabytes. */
const CHECKPOINT_ROWS = 4_000;
/** A checkpoint runs after this time even when few rows were written. */
const QUIET_MILLISECONDS = 5_000;
/** After a failed commit or checkpoint, the next checkpoint runs after this time. */
const RETRY_MILLISECONDS = 1_000;
/**
 * Pages (64 MiB) beyond which the log file is restarted: a checkpoint between two commits writes the rest.
 */
const MAX_PAGES = 16_384;
/**
 * SQLite's own checkpoints, when the thread has died: at every commit when the file has more pages than this.
 */
const FALLBACK = 'PRAGMA wal_autocheckpoint = 1000';

type Report = { readonly pages: number; readonly done: number } | { readonly failed: string };

/** Source text, so that it runs the same from compiled files and from sources compiled by a test runner. */
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
 * Checkpoints the write-ahead log in its own thread. In a commit, a checkpoint would add several fsyncs to
 * it. A checkpoint never waits for a writer and never blocks one.
 */
export class WalCheckpoints implements CommitPart {
  private readonly worker: Worker;
  private readonly stopped: Promise<void>;
  private rows = 0;
  private state: 'idle' | 'busy' | 'gone' = 'idle';
  private cancelTimer: (() => void) | null = null;
  /** Whether the last attempt failed. */
  private hasFailed = false;

  constructor(
    private readonly database: Database,
    private readonly path: string,
    /** Runs a checkpoint between two commits, on the connection that commits. */
    private readonly checkpointBetweenCommits: () => void,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    database.connection.exec('PRAGMA wal_autocheckpoint = 0');
    this.worker = new Worker(SOURCE, { eval: true, workerData: path, execArgv: ['--no-warnings'] });
    this.worker.on('message', (report: Report) => this.onReport(report));
    this.worker.on('error', (error) => this.onThreadError(error));
    this.stopped = new Promise((resolve) => this.worker.once('exit', () => resolve()));
    this.worker.unref();
  }

  inside(): void {
    // Checkpoints are not part of a commit.
  }

  needsOwnTransaction(): boolean {
    return false;
  }

  committed(rows: number): void {
    this.rows += rows;
    if (this.rows >= CHECKPOINT_ROWS) this.requestCheckpoint();
    else if (this.rows > 0) this.scheduleCheckpoint(QUIET_MILLISECONDS);
  }

  /**
   * The log file alone may have filled the disk. A checkpoint makes room in it, and without commits nothing
   * else would start one.
   */
  rolledBack(): void {
    this.scheduleCheckpoint(RETRY_MILLISECONDS);
  }

  /** Ends the thread, checkpoints the rest, and leaves an empty log file. */
  async close(): Promise<void> {
    this.cancelTimer?.();
    if (this.state !== 'gone') {
      this.state = 'gone';
      // The process must not end before the thread.
      this.worker.ref();
      this.worker.postMessage('stop');
    }
    await this.stopped;
    try {
      this.database.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      this.log.warn(
        { file: this.path, reason: reasonOf(error) },
        'could not checkpoint the write-ahead log at the end; no data is lost, and the next start does it',
      );
    }
  }

  private scheduleCheckpoint(milliseconds: number): void {
    if (this.state !== 'gone') this.cancelTimer ??= this.clock.after(milliseconds, () => this.requestCheckpoint());
  }

  private requestCheckpoint(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
    if (this.state !== 'idle') return;
    this.state = 'busy';
    this.rows = 0;
    this.worker.postMessage('checkpoint');
  }

  private onReport(report: Report): void {
    if (this.state === 'busy') this.state = 'idle';
    if ('failed' in report) {
      // Logged once, although the checkpoint is retried every second.
      if (!this.hasFailed)
        this.log.warn(
          { file: this.path, reason: report.failed },
          'could not checkpoint the write-ahead log; it is retried every second, and the log grows meanwhile: check the disk',
        );
      this.hasFailed = true;
      this.scheduleCheckpoint(RETRY_MILLISECONDS);
      return;
    }
    this.hasFailed = false;
    if (this.rows > 0) this.scheduleCheckpoint(QUIET_MILLISECONDS);
    if (report.pages > MAX_PAGES && this.state !== 'gone') this.restartLog();
  }

  /**
   * Restarts the file. A writer can do that when all pages are checkpointed, and the thread has left only the
   * newest.
   */
  private restartLog(): void {
    try {
      this.checkpointBetweenCommits();
    } catch (error) {
      this.log.warn(
        { file: this.path, reason: reasonOf(error) },
        'could not restart the write-ahead log; it is retried after the next checkpoint, and the log grows meanwhile: check the disk',
      );
    }
  }

  private onThreadError(error: unknown): void {
    if (this.state === 'gone') return;
    this.state = 'gone';
    this.log.warn({ reason: reasonOf(error) }, 'the checkpoint thread failed; commits run checkpoints from now on');
    this.database.connection.exec(FALLBACK);
  }
}
