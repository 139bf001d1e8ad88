import { StoreUnavailable, type StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import { isStorageFailure } from '../failures.js';
import type { Database } from '../folder/database.js';
import type { CommitOutcome, CommitThread } from './commit-thread.js';

/** A component that writes its state in the same transaction as the events. */
export type CommitPart = {
  /**
   * Called within a transaction with events, after its events were written. An exception rolls back the whole
   * transaction.
   */
  readonly onTransaction: (appended: readonly StoredEvent[]) => void;
  /**
   * Returns whether `onTransaction` reads what the same transaction wrote. Such a transaction runs on the main thread: for the
   * commit thread, writes are only recorded, so `onTransaction` could not read them.
   */
  readonly needsMainThread: () => boolean;
  /** Called when a transaction is durable. `rows` is the number of new events or documents. */
  readonly onCommit: (rows: number) => void;
  /** Called when a transaction was rolled back. */
  readonly onRollback: () => void;
};

/** What one commit writes. */
export type Work = {
  /** Writes within the open transaction, or the one that is being recorded. Called again after a rollback. */
  readonly write: () => void;
  readonly needsMainThread: boolean;
  /** Returns whether the writes are stored. Only the file shows this after the thread has died during the commit. */
  readonly isStored: () => boolean;
  /** Called when the writes are durable, before the parts. Returns the number of new events or documents. */
  readonly onCommitted: () => number;
  /** Called after the parts. */
  readonly onDone: () => void;
  readonly onFailed: (error: unknown) => void;
};

const FOLDER_MOVED =
  'the folder of the store was moved, removed or replaced while it was open: put it back, or stop the service and start it with the folder at its new place';

/** Runs commits one after the other: on the commit thread, or on the main thread if there is no thread or it has died. */
export class Commits {
  private readonly parts: CommitPart[] = [];
  private hasFailed = false;

  /** Commits to a file that is no longer at its path fail, because the next start would open a file without them. */
  constructor(
    private readonly database: Database,
    private readonly thread: CommitThread | null,
    private readonly isInPlace: () => boolean,
  ) {}

  /** Adds a part, which is called after the parts that were added before. */
  addPart(part: CommitPart): void {
    this.parts.push(part);
  }

  /** Calls the parts within the transaction of a commit with events. */
  writeParts(appended: readonly StoredEvent[]): void {
    if (appended.length > 0) for (const part of this.parts) part.onTransaction(appended);
  }

  /** Returns whether a part reads what the same transaction wrote. */
  needMainThread(): boolean {
    return this.parts.some((part) => part.needsMainThread());
  }

  /** Returns whether the last commit failed. */
  hasLastFailed(): boolean {
    return this.hasFailed;
  }

  /** Starts a commit, which must not be called during another one. `onEnd` is called after a commit of the thread. */
  start(work: Work, onEnd: () => void): void {
    if (!this.isInPlace()) this.fail(work, new StoreUnavailable(FOLDER_MOVED));
    else if (this.thread?.isUsable() && !work.needsMainThread) this.startOnThread(this.thread, work, onEnd);
    else this.commitOnMainThread(work);
  }

  private commitOnMainThread(work: Work): void {
    try {
      this.database.transaction(() => work.write());
    } catch (error) {
      return this.fail(work, error);
    }
    this.succeed(work);
  }

  private startOnThread(thread: CommitThread, work: Work, onEnd: () => void): void {
    try {
      const writes = this.database.record(() => work.write());
      if (writes.statements.length === 0) return this.succeed(work);
      thread.commit(writes, (outcome) => {
        this.finish(work, outcome);
        onEnd();
      });
    } catch (error) {
      this.fail(work, error);
    }
  }

  /**
   * Retries on the main thread after an error that the disk did not cause, for example in a write of a projection. On the main
   * thread, each projection runs in a savepoint, so a failed projection does not reject the appends.
   */
  private finish(work: Work, outcome: CommitOutcome): void {
    if (outcome.kind === 'unknown' ? work.isStored() : outcome.kind === 'committed') this.succeed(work);
    else if (outcome.kind === 'refused' && !isStorageFailure(outcome)) {
      this.rollBackParts();
      this.commitOnMainThread(work);
    } else this.fail(work, outcome.kind === 'refused' ? outcome : new StoreUnavailable('the commit thread has ended'));
  }

  private succeed(work: Work): void {
    this.hasFailed = false;
    const rows = work.onCommitted();
    for (const part of this.parts) part.onCommit(rows);
    work.onDone();
  }

  private fail(work: Work, error: unknown): void {
    this.hasFailed = true;
    this.rollBackParts();
    work.onFailed(error);
  }

  private rollBackParts(): void {
    this.database.rollbacks++;
    for (const part of this.parts) part.onRollback();
  }
}
