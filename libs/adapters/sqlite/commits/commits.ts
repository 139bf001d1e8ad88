import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { isStorageFailure, toStoreUnavailable } from '../failures.js';
import type { Database } from '../folder/database.js';
import type { CommitOutcome, CommitThread } from './commit-thread.js';
import type { RecordedWrites } from './recorded-writes.js';

/** A component that is notified of commits. */
export type CommitListener = {
  /** Called when a commit is durable. `rows` is the number of new events or documents. */
  readonly onCommit: (rows: number) => void;
  /** Called when a commit was rolled back. */
  readonly onRollback: () => void;
};

/** One of the writes of a commit. */
export type Write = {
  /**
   * Reads committed data, and writes with `Database.write`. It must not depend on its own writes, or on those of the same commit.
   * Called again after a rollback.
   */
  readonly run: () => void;
  /** Returns whether the write is stored. Only the file shows this after the thread has died during the commit. */
  readonly isStored: () => boolean;
  /** Called when the commit is durable, before the listeners. Returns the number of new events or documents. */
  readonly onCommitted: () => number;
  /** Called after the listeners. */
  readonly onDone: () => void;
  readonly onFailed: (error: unknown) => void;
};

/** The writes of one commit. */
type Commit = {
  readonly writes: readonly Write[];
  /** The writes that failed alone, and why. */
  readonly errors: Map<Write, unknown>;
  /** Present from the second attempt on: the savepoints that the thread has refused, and why. */
  failedSavepoints?: Map<string, string>;
  readonly onEnd: () => void;
};

/** Runs commits, one at a time: on the commit thread, or for a store in memory on this one. */
export class Commits {
  private readonly listeners: CommitListener[] = [];
  private hasFailed = false;

  constructor(
    private readonly database: Database,
    private readonly thread: CommitThread | null,
  ) {}

  /** Registers a listener. Listeners are called in the order of their registration. */
  addListener(listener: CommitListener): void {
    this.listeners.push(listener);
  }

  /** Returns whether the last commit failed. */
  hasLastFailed(): boolean {
    return this.hasFailed;
  }

  /** Starts a commit. Calls `onEnd` when the callers of all writes know its outcome. */
  start(writes: readonly Write[], onEnd: () => void): void {
    const commit: Commit = { writes, errors: new Map(), onEnd };
    if (this.thread) this.attempt(this.thread, commit);
    else this.commitInMemory(commit);
  }

  private run({ writes, errors }: Commit): void {
    errors.clear();
    for (const [index, write] of writes.entries()) {
      try {
        this.database.savepoint(`write ${index}`, write.run);
      } catch (error) {
        if (isStorageFailure(error)) throw error;
        errors.set(write, error);
      }
    }
  }

  private commitInMemory(commit: Commit): void {
    try {
      this.database.transaction(() => this.run(commit));
    } catch (error) {
      return this.fail(commit, error);
    }
    this.succeed(commit);
  }

  private attempt(thread: CommitThread, commit: Commit): void {
    let recorded: RecordedWrites;
    try {
      recorded = this.database.record(() => this.run(commit), commit.failedSavepoints);
    } catch (error) {
      return this.fail(commit, error);
    }
    if (recorded.statements.length === 0) return this.succeed(commit);
    thread.commit(recorded, (outcome) => {
      if (outcome.kind === 'refused' && this.canRepeat(commit, recorded, outcome)) this.attempt(thread, commit);
      else this.conclude(commit, outcome);
    });
  }

  /**
   * Returns whether a refused commit is repeated: at first with more care (see `Database.isRetry`), and then without the savepoint
   * that failed. Not if the disk or a lock is the reason.
   */
  private canRepeat(commit: Commit, recorded: RecordedWrites, outcome: Extract<CommitOutcome, { kind: 'refused' }>): boolean {
    if (isStorageFailure(outcome)) return false;
    const savepoint = outcome.statement === undefined ? undefined : recorded.savepointWith(outcome.statement);
    if (commit.failedSavepoints && (savepoint === undefined || commit.failedSavepoints.has(savepoint))) return false;
    this.notifyRollback();
    if (!commit.failedSavepoints) commit.failedSavepoints = new Map();
    else if (savepoint !== undefined) commit.failedSavepoints.set(savepoint, outcome.message);
    return true;
  }

  private conclude(commit: Commit, outcome: CommitOutcome): void {
    if (outcome.kind === 'committed') this.succeed(commit);
    else if (outcome.kind === 'refused') this.fail(commit, outcome);
    else if (commit.writes.some((write) => write.isStored())) this.succeed(commit);
    else this.fail(commit, new StoreUnavailable(outcome.reason));
  }

  private succeed({ writes, errors, onEnd }: Commit): void {
    this.hasFailed = false;
    const stored = writes.filter((write) => !errors.has(write));
    const rows = stored.reduce((sum, write) => sum + write.onCommitted(), 0);
    for (const listener of this.listeners) listener.onCommit(rows);
    for (const write of stored) write.onDone();
    for (const [write, error] of errors) write.onFailed(error);
    onEnd();
  }

  private fail({ writes, onEnd }: Commit, error: unknown): void {
    this.hasFailed = true;
    this.notifyRollback();
    for (const write of writes) write.onFailed(toStoreUnavailable(error));
    onEnd();
  }

  private notifyRollback(): void {
    this.database.rollbacks++;
    for (const listener of this.listeners) listener.onRollback();
  }
}
