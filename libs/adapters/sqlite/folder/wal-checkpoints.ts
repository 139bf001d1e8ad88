import type { Worker } from 'node:worker_threads';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import type { CommitListener } from '../commits/commits.js';
import { moduleBeside, startThread } from '../../../threads/start-thread.js';
import type { CheckpointReport, CheckpointThreadData } from './checkpoint-thread-program.js';
import { existingFile, type Database } from './database.js';

/**
 * After this many written rows (some megabytes), a checkpoint copies the pages of the write-ahead log to the database file.
 */
const CHECKPOINT_ROWS = 4_000;
/** A checkpoint runs after this time even when fewer rows were written. */
const MAX_DELAY_MILLISECONDS = 5_000;
/** After a failed commit or checkpoint, the next checkpoint runs after this time. */
const RETRY_MILLISECONDS = 1_000;
/**
 * When the write-ahead log still has more pages than this (64 MiB) after a checkpoint, another checkpoint runs between two
 * commits.
 */
const MAX_PAGES = 16_384;

/**
 * Checkpoints the write-ahead log in its own thread, because a checkpoint within a commit would add several
 * fsyncs to the commit. The thread's checkpoints never wait for a writer and never block a writer.
 */
export class WalCheckpoints implements CommitListener {
  private readonly worker: Worker;
  private readonly stopped: Promise<void>;
  private rows = 0;
  /** The state of the thread. After `failed`, the commit thread runs the checkpoints. */
  private state: 'idle' | 'busy' | 'failed' | 'closed' = 'idle';
  private cancelTimer: (() => void) | null = null;
  /** Whether the last checkpoint failed. */
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
    const data: CheckpointThreadData = { file: existingFile(path) };
    this.worker = startThread(moduleBeside(import.meta.url, './checkpoint-thread-program'), { data });
    this.worker.on('message', (report: CheckpointReport) => this.onReport(report));
    this.worker.on('error', (error) => this.onThreadError(error));
    this.stopped = new Promise((resolve) => this.worker.once('exit', () => resolve()));
  }

  onCommit(rows: number): void {
    this.rows += rows;
    if (this.rows >= CHECKPOINT_ROWS) this.requestCheckpoint();
    else if (this.rows > 0) this.scheduleCheckpoint(MAX_DELAY_MILLISECONDS);
  }

  /**
   * Schedules a checkpoint after a failed commit. On a full disk no commit succeeds, so `onCommit` never starts a checkpoint.
   * After the scheduled checkpoint, commits can reuse the space in the write-ahead log.
   */
  onRollback(): void {
    this.scheduleCheckpoint(RETRY_MILLISECONDS);
  }

  /** Ends the thread, and checkpoints and truncates the write-ahead log. */
  async close(): Promise<void> {
    this.cancelTimer?.();
    if (this.state !== 'failed' && this.state !== 'closed') {
      // The process must not end before the thread.
      this.worker.ref();
      this.worker.postMessage('stop');
    }
    this.state = 'closed';
    await this.stopped;
    try {
      this.database.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      this.log.warn(
        { file: this.path, reason: reasonOf(error) },
        'could not checkpoint the write-ahead log on close; no data is lost, and the next start checkpoints it',
      );
    }
  }

  private scheduleCheckpoint(milliseconds: number): void {
    if (this.state !== 'closed') this.cancelTimer ??= this.clock.after(milliseconds, () => this.requestCheckpoint());
  }

  private requestCheckpoint(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
    if (this.state === 'busy' || this.state === 'closed') return;
    this.rows = 0;
    if (this.state === 'failed') return this.checkpointBetweenCommits();
    this.state = 'busy';
    this.worker.postMessage('checkpoint');
  }

  private onReport(report: CheckpointReport): void {
    if (this.state === 'busy') this.state = 'idle';
    if ('failed' in report) {
      // Logged once, although the checkpoint is retried every second.
      if (!this.hasFailed)
        this.log.warn(
          { file: this.path, reason: report.failed },
          'could not checkpoint the write-ahead log; a retry runs every second, and the write-ahead log grows meanwhile: check the disk',
        );
      this.hasFailed = true;
      this.scheduleCheckpoint(RETRY_MILLISECONDS);
      return;
    }
    this.hasFailed = false;
    if (this.rows > 0) this.scheduleCheckpoint(MAX_DELAY_MILLISECONDS);
    // While commits run, the thread cannot checkpoint the newest pages, so the write-ahead log grows. After a checkpoint between
    // two commits, the next commit writes to the beginning of that log again.
    if (report.pages > MAX_PAGES && this.state !== 'closed') this.checkpointBetweenCommits();
  }

  private onThreadError(error: unknown): void {
    if (this.state === 'closed') return;
    this.state = 'failed';
    this.log.warn({ reason: reasonOf(error) }, 'the checkpoint thread failed; from now on the commit thread runs the checkpoints');
    if (this.rows > 0) this.scheduleCheckpoint(RETRY_MILLISECONDS);
  }
}
