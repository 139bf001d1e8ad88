import type { AppendResult, EncodedEvent, ExpectedRevision, StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { isStorageFailure, toStoreUnavailable } from '../failures.js';
import type { Database } from '../folder/database.js';
import type { CommitOutcome, CommitThread } from './commit-thread.js';
import { writeAppends, type AppendRequest } from './write-appends.js';

/** Maximum number of appends per commit. It is limited, so that no append waits long for the others in its commit. */
const APPENDS_PER_COMMIT = 1_000;
/** A commit starts at once when this many appends are pending. Appends that arrive during the commit share the next commit. */
const FULL_BATCH = 16;

const FOLDER_MOVED =
  'the folder of the store was moved, removed or replaced while it was open: put it back, or stop the service and start it with the folder at its new place';

const HEAD = 'SELECT max(position) AS head FROM events';

/** A component that writes its state in the same transaction as the events. */
export type CommitPart = {
  /**
   * Called within the transaction, after its events were written. An exception rolls back the whole
   * transaction.
   */
  readonly onTransaction: (appended: readonly StoredEvent[]) => void;
  /**
   * Returns whether `onTransaction` reads what the same transaction wrote. Such a transaction runs on the main thread: for the
   * commit thread, writes are only recorded, so `onTransaction` could not read them.
   */
  readonly needsMainThread: () => boolean;
  /** Called when the transaction is durable. `rows` is the number of new events. */
  readonly onCommit: (rows: number) => void;
  /** Called when the transaction was rolled back. */
  readonly onRollback: () => void;
};

type Append = AppendRequest & {
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
};

/** The appends of one commit, their results, and the end of the log after the commit. */
type Batch = { readonly appends: readonly Append[]; readonly results: readonly AppendResult[]; readonly endPosition: number };

/**
 * Appends events to the log. Appends that arrive in one turn of the event loop, or during another commit, share
 * one transaction and one fsync.
 */
export class LogWriter {
  private pending: Append[] = [];
  private scheduled = false;
  private isWaitingForCommit = false;
  private closed = false;
  private hasFailed = false;
  private position: number;
  /** The position of the last event when this process opened the log. `lastPositionByType` includes only later events. */
  private readonly openedAt: number;
  /** For each event type: the end of the log after the last commit that contained an event of the type. */
  private readonly lastPositionByType = new Map<string, number>();
  private readonly parts: CommitPart[] = [];
  private readonly listeners = new Set<() => void>();

  /**
   * Commits run on `thread`, or on the main thread if `thread` is null or has died. `isInPlace` returns whether the log's
   * file is still at its path. Appends to a moved file are rejected, because the next start would open a file without them.
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

  /** Returns the position of the last event in the log, or 0. */
  head(): number {
    return this.position;
  }

  /**
   * Returns false only if the log has no event of these types after the position `after`. True means that it may have one. Does
   * not read the log.
   */
  mayContain(types: readonly string[], after: number): boolean {
    return after < this.openedAt || types.some((type) => (this.lastPositionByType.get(type) ?? 0) > after);
  }

  /** Returns whether the last commit failed. */
  hasLastCommitFailed(): boolean {
    return this.hasFailed;
  }

  isClosed(): boolean {
    return this.closed;
  }

  /** Adds a part, which is called after the parts that were added before. */
  addPart(part: CommitPart): void {
    this.parts.push(part);
  }

  /** Calls `listener` when the log has grown or was closed. Returns a function that unsubscribes. */
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

  /** Writes the pending appends. Later appends are rejected. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (this.waitForCommit(); this.pending.length > 0; this.waitForCommit()) this.flush();
    this.notifyListeners();
  }

  /**
   * Waits for the commit in progress, without starting another commit. The callbacks of the commit may run a transaction,
   * which calls this method again. The inner call must not clear the flag of the outer call, so it restores the old value.
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

  /** Starts a commit now if FULL_BATCH appends are pending. With fewer appends, starts it after this turn of the event loop. */
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
    // If a commit is in progress, its outcome starts the next flush.
    if (this.pending.length > 0 && !this.thread?.isBusy()) this.schedule();
  }

  private flush(): void {
    // The appends stay pending until the commit in progress has finished.
    if (this.thread?.isBusy()) return;
    const appends = this.pending.length > APPENDS_PER_COMMIT ? this.pending.splice(0, APPENDS_PER_COMMIT) : this.pending;
    if (appends === this.pending) this.pending = [];
    if (appends.length === 0) return;
    if (!this.isInPlace()) this.fail(appends, new StoreUnavailable(FOLDER_MOVED));
    else if (this.thread?.isUsable() && !this.parts.some((part) => part.needsMainThread())) this.commitOnThread(this.thread, appends);
    else this.commitOnMainThread(appends);
  }

  private commitOnMainThread(appends: readonly Append[]): void {
    try {
      this.succeed(this.database.transaction(() => this.write(appends)));
    } catch (error) {
      this.fail(appends, error);
    }
  }

  private commitOnThread(thread: CommitThread, appends: readonly Append[]): void {
    try {
      let batch: Batch = { appends, results: [], endPosition: this.position };
      const writes = this.database.record(() => void (batch = this.write(appends)));
      if (writes.statements.length === 0) this.succeed(batch);
      else thread.commit(writes, (outcome) => this.onOutcome(batch, outcome));
    } catch (error) {
      this.fail(appends, error);
    }
  }

  private onOutcome(batch: Batch, outcome: CommitOutcome): void {
    if (this.isCommitted(batch, outcome)) this.succeed(batch);
    else if (outcome.kind === 'refused' && !isStorageFailure(outcome)) this.retryOnMainThread(batch);
    else this.fail(batch.appends, outcome.kind === 'refused' ? outcome : new StoreUnavailable('the commit thread has ended'));
    if (this.pending.length > 0 && !this.closed) this.startCommit();
  }

  private isCommitted({ endPosition }: Batch, { kind }: CommitOutcome): boolean {
    // After the thread has died, only the file shows whether the batch was committed.
    return kind === 'unknown' ? this.storedHead() >= endPosition : kind === 'committed';
  }

  /**
   * Retries on the main thread after an error that the disk did not cause, for example in a write of a projection. On the main
   * thread, each projection runs in a savepoint, so a failed projection does not reject the appends.
   */
  private retryOnMainThread({ appends }: Batch): void {
    this.rollBackParts();
    this.commitOnMainThread(appends);
  }

  private succeed({ appends, results, endPosition }: Batch): void {
    this.hasFailed = false;
    const rows = endPosition - this.position;
    this.position = endPosition;
    for (const { events } of appends) for (const { type } of events) this.lastPositionByType.set(type, endPosition);
    for (const part of this.parts) part.onCommit(rows);
    for (const [index, { resolve }] of appends.entries()) resolve(results[index]);
    if (rows > 0) this.notifyListeners();
  }

  private fail(appends: readonly Append[], error: unknown): void {
    this.hasFailed = true;
    this.rollBackParts();
    for (const { reject } of appends) reject(toStoreUnavailable(error));
  }

  private rollBackParts(): void {
    this.database.rollbacks++;
    for (const part of this.parts) part.onRollback();
  }

  /** Writes the appends and calls the parts, within the open transaction or the one that is being recorded for the thread. */
  private write(appends: readonly Append[]): Batch {
    const { results, appended } = writeAppends(this.database, this.position, appends);
    if (appended.length > 0) for (const part of this.parts) part.onTransaction(appended);
    return { appends, results, endPosition: this.position + appended.length };
  }

  private notifyListeners(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private storedHead(): number {
    return Number(this.database.statement(HEAD).get()?.['head'] ?? 0);
  }
}
