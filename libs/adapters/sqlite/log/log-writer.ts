import type { AppendResult, EncodedEvent, ExpectedRevision, StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { isStorageFailure, toStoreUnavailable } from '../failures.js';
import type { Database } from '../folder/database.js';
import type { CommitOutcome, CommitThread } from './commit-thread.js';
import { writeAppends, type AppendRequest } from './write-appends.js';

/** Maximum number of appends per commit, so that none waits long for the others. */
const APPENDS_PER_COMMIT = 1_000;
/** This many appends start a commit at once. While a thread writes them, the next ones are prepared. */
const FULL_BATCH = 16;

const FOLDER_MOVED =
  'the folder of the store was moved, removed or replaced while it was open: put it back, or stop the store and start it where its folder is';

const HEAD = 'SELECT max(position) AS head FROM events';

/** State that changes in the same commit as the log. */
export type CommitPart = {
  /**
   * Runs within the transaction, after its events were written. An exception rolls back the whole
   * transaction.
   */
  readonly inside: (appended: readonly StoredEvent[]) => void;
  /**
   * Whether `inside` reads what the same transaction wrote. Then it cannot be recorded for another thread.
   */
  readonly needsOwnTransaction: () => boolean;
  /** The transaction is durable; `rows` is the number of new events. */
  readonly committed: (rows: number) => void;
  /** The transaction was rolled back. */
  readonly rolledBack: () => void;
};

type Append = AppendRequest & {
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
};

/** A batch in progress: the results to return, and the position of the log after it. */
type Batch = { readonly appends: readonly Append[]; readonly answers: readonly AppendResult[]; readonly reach: number };

/**
 * Writes the log. Appends that arrive in one turn of the event loop, or during another commit, share one
 * transaction and one fsync.
 */
export class LogWriter {
  private pending: Append[] = [];
  private scheduled = false;
  private isWaitingForCommit = false;
  private closed = false;
  private hasFailed = false;
  private position: number;
  private readonly openedAt: number;
  /** The last position at which each type may have been written since the start. */
  private readonly lastPositionByType = new Map<string, number>();
  private readonly parts: CommitPart[] = [];
  private readonly listeners = new Set<() => void>();

  /**
   * Commits run on `thread`, or here without one or after it has died. `isInPlace` returns whether the file
   * is still at the path that the next start will open.
   */
  constructor(
    private readonly database: Database,
    private readonly thread: CommitThread | null = null,
    private readonly isInPlace: () => boolean = () => true,
  ) {
    this.openedAt = this.position = this.storedHead();
    database.beforeTransaction = () => this.waitForCommit();
    database.afterTransaction = () => this.thread?.checkSpace();
  }

  /** Returns the position of the log's last event, or 0. */
  head(): number {
    return this.position;
  }

  /** Returns false if the log certainly has no event of these types after a position. Reads nothing. */
  canHave(types: readonly string[], after: number): boolean {
    return after < this.openedAt || types.some((type) => (this.lastPositionByType.get(type) ?? 0) > after);
  }

  /** Returns whether the last commit failed. */
  hasLastCommitFailed(): boolean {
    return this.hasFailed;
  }

  isClosed(): boolean {
    return this.closed;
  }

  /** Adds a part that changes with every commit, after the parts added before. */
  addPart(part: CommitPart): void {
    this.parts.push(part);
  }

  /** Calls back when the log has grown or was closed. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<AppendResult> {
    if (this.closed) return Promise.reject(new StoreUnavailable('the store is closed'));
    if (events.length === 0) return Promise.reject(new RangeError('an append needs at least one event'));
    return new Promise((resolve, reject) => {
      this.pending.push({ stream, expected, events, resolve, reject });
      this.startCommit();
    });
  }

  /** Writes pending appends and accepts no more. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (this.waitForCommit(); this.pending.length > 0; this.waitForCommit()) this.flush();
    this.notifyListeners();
  }

  /**
   * Waits for the commit in progress and starts no other. Its outcome may run a transaction, which calls this
   * again.
   */
  private waitForCommit(): void {
    const { isWaitingForCommit } = this;
    this.isWaitingForCommit = true;
    try {
      this.thread?.waitForCommit();
    } finally {
      this.isWaitingForCommit = isWaitingForCommit;
    }
  }

  /** Starts a commit now, or after this turn. */
  private startCommit(): void {
    if (this.pending.length < FULL_BATCH || !this.thread?.isUsable() || this.isWaitingForCommit) return this.schedule();
    this.thread.poll();
    if (!this.thread.isBusy()) this.flush();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.flushScheduled());
  }

  private flushScheduled(): void {
    this.scheduled = false;
    this.flush();
    // The outcome of another commit in progress starts the next flush.
    if (this.pending.length > 0 && !this.thread?.isBusy()) this.schedule();
  }

  private flush(): void {
    // Pending appends go into the next commit, when this one has finished.
    if (this.thread?.isBusy()) return;
    const appends = this.pending.length > APPENDS_PER_COMMIT ? this.pending.splice(0, APPENDS_PER_COMMIT) : this.pending;
    if (appends === this.pending) this.pending = [];
    if (appends.length === 0) return;
    if (!this.isInPlace()) this.fail(appends, new StoreUnavailable(FOLDER_MOVED));
    else if (this.thread?.isUsable() && !this.parts.some((part) => part.needsOwnTransaction())) this.commitOnThread(this.thread, appends);
    else this.commitHere(appends);
  }

  private commitHere(appends: readonly Append[]): void {
    try {
      this.succeed(this.database.transaction(() => this.write(appends)));
    } catch (error) {
      this.fail(appends, error);
    }
  }

  private commitOnThread(thread: CommitThread, appends: readonly Append[]): void {
    try {
      let batch: Batch = { appends, answers: [], reach: this.position };
      const writes = this.database.record(() => void (batch = this.write(appends)));
      if (writes.statements.length === 0) this.succeed(batch);
      else thread.commit(writes, (outcome) => this.onOutcome(batch, outcome));
    } catch (error) {
      this.fail(appends, error);
    }
  }

  private onOutcome(batch: Batch, outcome: CommitOutcome): void {
    if (this.isCommitted(batch, outcome)) this.succeed(batch);
    else if (outcome.kind === 'refused' && !isStorageFailure(outcome)) this.retryHere(batch);
    else this.fail(batch.appends, outcome.kind === 'refused' ? outcome : new StoreUnavailable('the commit thread has ended'));
    if (this.pending.length > 0 && !this.closed) this.startCommit();
  }

  private isCommitted({ reach }: Batch, { kind }: CommitOutcome): boolean {
    // The thread has died, and nobody else writes the log: a committed batch is in the file.
    return kind === 'unknown' ? this.storedHead() >= reach : kind === 'committed';
  }

  /**
   * Retries here after an error that is not the disk's: a projection failed, and a savepoint can isolate it.
   */
  private retryHere({ appends }: Batch): void {
    this.undo();
    this.commitHere(appends);
  }

  private succeed({ appends, answers, reach }: Batch): void {
    this.hasFailed = false;
    const rows = reach - this.position;
    this.position = reach;
    for (const { events } of appends) for (const { type } of events) this.lastPositionByType.set(type, reach);
    for (const part of this.parts) part.committed(rows);
    for (const [index, { resolve }] of appends.entries()) resolve(answers[index]);
    if (rows > 0) this.notifyListeners();
  }

  private fail(appends: readonly Append[], error: unknown): void {
    this.hasFailed = true;
    this.undo();
    for (const { reject } of appends) reject(toStoreUnavailable(error));
  }

  private undo(): void {
    this.database.rollbacks++;
    for (const part of this.parts) part.rolledBack();
  }

  /** Writes the appends and the other parts within the open or recorded transaction. */
  private write(appends: readonly Append[]): Batch {
    const { answers, appended } = writeAppends(this.database, this.position, appends);
    if (appended.length > 0) for (const part of this.parts) part.inside(appended);
    return { appends, answers, reach: this.position + appended.length };
  }

  private notifyListeners(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private storedHead(): number {
    return Number(this.database.statement(HEAD).get()?.['head'] ?? 0);
  }
}
