import { join } from 'node:path';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { PRAGMAS, type Database } from '../folder/database.js';
import { IN_MEMORY } from '../folder/file-names.js';
import { CommitThread } from './commit-thread.js';
import { Commits, type CommitListener, type Write } from './commits.js';

/**
 * When a commit takes longer than this, the disk or a lock of another program has stopped the writes: those that wait are
 * rejected, and so is each new one until the commit has ended (contract 24.1).
 */
const STALL_MILLISECONDS = 5_000;
/** Maximum number of writes in a commit. It is limited, so that no write waits long for the others in its commit. */
const WRITES_PER_COMMIT = 1_000;
/** A commit starts at once when this many callers wait. Writes that arrive during the commit share the next commit. */
const FULL_BATCH = 16;

export const STALLED = 'the disk does not complete a commit in time, or another program has locked the store';

/** What a write reads before it decides: writes with a common key have different commits. `alone`: a commit of its own. */
export type WriteKeys = readonly string[] | 'alone';

type WriteOptions<T> = {
  /** The number of written rows. Default: 1. */
  readonly rows?: number;
  /** Called with the result of the write when its commit is durable, before any later write reads. */
  readonly onCommitted?: (result: T) => void;
  /**
   * Returns whether the file has what the write has written. It is asked if the thread has died during the commit. Default: nobody
   * knows, and the write is rejected.
   */
  readonly isStored?: (result: T) => boolean;
};

type QueueOptions = {
  /** Returns why nothing may be committed, for example because the file is not at its path any more, or null. */
  readonly problem?: () => string | null;
  /** How long a commit may take before the writes behind it are rejected. */
  readonly stallMilliseconds?: number;
};

/** A write that waits for its commit. */
type WaitingWrite = Write & {
  readonly keys: WriteKeys;
  /** Returns how many callers wait for this write. */
  readonly callers: () => number;
};

/**
 * Writes to one file: one commit after the other, each with all writes that have arrived meanwhile. The commit thread runs the
 * commits, so the main thread never waits for the disk or a lock. A store in memory has no thread.
 */
export class CommitQueue {
  private readonly commits: Commits;
  private readonly waiting: WaitingWrite[] = [];
  private isScheduled = false;
  private isCommitting = false;
  private isStalled = false;
  private closed = false;
  private onIdle: (() => void) | null = null;
  private readonly problem: () => string | null;
  private readonly stallMilliseconds: number;

  constructor(
    database: Database,
    private readonly thread: CommitThread | null,
    { problem = () => null, stallMilliseconds = STALL_MILLISECONDS }: QueueOptions = {},
  ) {
    this.commits = new Commits(database, thread);
    this.problem = problem;
    this.stallMilliseconds = stallMilliseconds;
  }

  /** Registers a listener. Listeners are called in the order of their registration. */
  addListener(listener: CommitListener): void {
    this.commits.addListener(listener);
  }

  /** Returns whether the last commit failed, or the current one takes too long. */
  isFailing(): boolean {
    return this.isStalled || this.commits.hasLastFailed();
  }

  /**
   * Runs `work` in a commit, and resolves with its result when its writes are durable. `work` reads committed data and writes with
   * `Database.write`; it must not depend on its own writes. Rejects with StoreUnavailable, and with what `work` throws.
   */
  write<T>(keys: WriteKeys, work: () => T, { rows = 1, onCommitted, isStored }: WriteOptions<T> = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      let result: T;
      this.add({
        keys,
        callers: () => 1,
        run: () => (result = work()),
        isStored: () => isStored?.(result) ?? false,
        onCommitted: () => {
          onCommitted?.(result);
          return rows;
        },
        onDone: () => resolve(result),
        onFailed: reject,
      });
    });
  }

  /** Adds a write. */
  add(write: WaitingWrite): void {
    if (this.closed) write.onFailed(new StoreUnavailable('the store is closed'));
    else if (this.isStalled) write.onFailed(new StoreUnavailable(STALLED));
    else {
      this.waiting.push(write);
      this.startIfFull();
    }
  }

  /** Starts a commit now if many callers wait. With few, starts it after this turn of the event loop. */
  startIfFull(): void {
    const isFull = this.waiting.reduce((sum, write) => sum + write.callers(), 0) >= FULL_BATCH;
    if (isFull) this.thread?.poll();
    if (this.isCommitting) return;
    if (isFull && this.thread) this.flush();
    else this.schedule();
  }

  /** Checkpoints and truncates the write-ahead log. Resolves with false if a reader or a failure of the disk prevents it. */
  async truncateLog(): Promise<boolean> {
    return this.thread?.truncate() ?? true;
  }

  /** Rejects later writes, waits until the waiting ones are durable or have failed, and ends the thread. */
  async close(): Promise<void> {
    this.closed = true;
    if (!this.isCommitting) this.flush();
    if (this.isCommitting) await new Promise<void>((resolve) => (this.onIdle = resolve));
    await this.thread?.close();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      if (!this.isCommitting) this.flush();
    });
  }

  /** Starts commits until one runs on the thread or no write waits. */
  private flush(): void {
    while (!this.isCommitting && this.waiting.length > 0) this.startCommit();
    if (!this.isCommitting) this.onIdle?.();
  }

  private startCommit(): void {
    const writes = this.takeWrites();
    const problem = this.problem();
    if (problem !== null) return writes.forEach(({ onFailed }) => onFailed(new StoreUnavailable(problem)));
    let isStarting = true;
    this.isCommitting = true;
    // Not a timer of the clock: the disk takes its time, also if a test advances the clock.
    const timer = setTimeout(() => this.stall(), this.stallMilliseconds).unref();
    this.commits.start(writes, () => {
      clearTimeout(timer);
      this.isCommitting = this.isStalled = false;
      // A commit without writes ends at once, and `flush` continues.
      if (!isStarting) this.startNext();
    });
    isStarting = false;
  }

  private startNext(): void {
    if (this.closed) this.flush();
    else if (this.waiting.length > 0) this.startIfFull();
  }

  /** Takes the writes of the next commit from the queue: up to the first that must not share it. */
  private takeWrites(): readonly Write[] {
    const keys = new Set<string>();
    const isFirstAlone = this.waiting[0]?.keys === 'alone';
    const end = this.waiting.findIndex((write, index) => {
      if (index > 0 && (isFirstAlone || write.keys === 'alone' || index === WRITES_PER_COMMIT)) return true;
      if (write.keys === 'alone') return false;
      if (write.keys.some((key) => keys.has(key))) return true;
      for (const key of write.keys) keys.add(key);
      return false;
    });
    return this.waiting.splice(0, end < 0 ? this.waiting.length : end);
  }

  private stall(): void {
    this.isStalled = true;
    for (const { onFailed } of this.waiting.splice(0)) onFailed(new StoreUnavailable(STALLED));
  }
}

/** Creates the queue of a file in a folder. `database` is the connection of the main thread to it. */
export const queueOf = (directory: string, file: string, database: Database): CommitQueue =>
  new CommitQueue(database, directory === IN_MEMORY ? null : new CommitThread(join(directory, file), PRAGMAS));
