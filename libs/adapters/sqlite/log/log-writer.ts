import type { AppendResult, EncodedEvent, ExpectedRevision } from '../../../eventsourcing/ports/event-store.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { toStoreUnavailable } from '../failures.js';
import type { Database } from '../folder/database.js';
import type { CommitThread } from './commit-thread.js';
import { Commits, type CommitPart } from './commits.js';
import { writeAppends, type AppendRequest } from './write-appends.js';

/** Maximum number of appends per commit. It is limited, so that no append waits long for the others in its commit. */
const APPENDS_PER_COMMIT = 1_000;
/** A commit starts at once when this many appends are pending. Appends that arrive during the commit share the next commit. */
const FULL_BATCH = 16;

const HEAD = 'SELECT max(position) AS head FROM events';

type Append = AppendRequest & {
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
};

/** Other writes, which have a commit of their own. */
type Writes = { readonly write: () => void; readonly rows: number; readonly resolve: () => void; readonly reject: (error: Error) => void };

/**
 * Appends events to the log. Appends that arrive in one turn of the event loop, or during another commit, share
 * one transaction and one fsync.
 */
export class LogWriter {
  private pending: Append[] = [];
  private readonly pendingWrites: Writes[] = [];
  /** Appends and other writes take turns, so that neither waits for all of the others. */
  private isTurnOfWrites = false;
  private scheduled = false;
  private isWaitingForCommit = false;
  private closed = false;
  private position: number;
  /** The position of the last event when this process opened the log. `lastPositionByType` includes only later events. */
  private readonly openedAt: number;
  /** For each event type: the end of the log after the last commit that contained an event of the type. */
  private readonly lastPositionByType = new Map<string, number>();
  private readonly commits: Commits;
  private readonly listeners = new Set<() => void>();

  /**
   * Commits run on `thread`, or on the main thread if `thread` is null or has died. `isInPlace` returns whether the log's
   * file is still at its path.
   */
  constructor(
    private readonly database: Database,
    private readonly thread: CommitThread | null = null,
    isInPlace: () => boolean = () => true,
  ) {
    this.commits = new Commits(database, thread, isInPlace);
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
    return this.commits.hasLastFailed();
  }

  isClosed(): boolean {
    return this.closed;
  }

  /** Adds a part, which is called after the parts that were added before. */
  addPart(part: CommitPart): void {
    this.commits.addPart(part);
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

  /**
   * Writes in a commit of its own, between the commits of appends. `rows` is the number of written documents. Resolves when the
   * commit is durable. Rejects with StoreUnavailable. `write` must not depend on what the same commit writes.
   */
  commit(rows: number, write: () => void): Promise<void> {
    if (this.closed) return Promise.reject(new StoreUnavailable('the store is closed'));
    return new Promise((resolve, reject) => {
      this.pendingWrites.push({ write, rows, resolve, reject });
      if (this.thread?.isUsable() && !this.isWaitingForCommit && !this.thread.isBusy()) this.flush();
      else this.schedule();
    });
  }

  /** Writes the pending appends. Later appends are rejected. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (this.waitForCommit(); this.hasPending(); this.waitForCommit()) this.flush();
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
    if (this.hasPending() && !this.thread?.isBusy()) this.schedule();
  }

  private flush(): void {
    // Everything stays pending until the commit in progress has finished.
    if (this.thread?.isBusy()) return;
    const writes = this.isTurnOfWrites || this.pending.length === 0 ? this.pendingWrites.shift() : undefined;
    this.isTurnOfWrites = !writes;
    if (writes) return this.commitWrites(writes);
    const appends = this.pending.length > APPENDS_PER_COMMIT ? this.pending.splice(0, APPENDS_PER_COMMIT) : this.pending;
    if (appends === this.pending) this.pending = [];
    if (appends.length > 0) this.commitAppends(appends);
  }

  private commitWrites({ write, rows, resolve, reject }: Writes): void {
    const work = {
      ...{ write, needsMainThread: false, isStored: () => false, onCommitted: () => rows, onDone: resolve },
      onFailed: (error: unknown) => reject(toStoreUnavailable(error)),
    };
    this.commits.start(work, () => this.startNext());
  }

  private commitAppends(appends: readonly Append[]): void {
    let results: readonly AppendResult[] = [];
    let [endPosition, rows] = [this.position, 0];
    const work = {
      write: () => {
        const written = writeAppends(this.database, this.position, appends);
        this.commits.writeParts(written.appended);
        results = written.results;
        endPosition = this.position + written.appended.length;
      },
      needsMainThread: this.commits.needMainThread(),
      isStored: () => this.storedHead() >= endPosition,
      onCommitted: () => {
        rows = endPosition - this.position;
        this.position = endPosition;
        for (const { events } of appends) for (const { type } of events) this.lastPositionByType.set(type, endPosition);
        return rows;
      },
      onDone: () => {
        for (const [index, { resolve }] of appends.entries()) resolve(results[index]);
        if (rows > 0) this.notifyListeners();
      },
      onFailed: (error: unknown) => {
        for (const { reject } of appends) reject(toStoreUnavailable(error));
      },
    };
    this.commits.start(work, () => this.startNext());
  }

  /** Starts the next commit after one of the thread. */
  private startNext(): void {
    if (this.pending.length > 0 && !this.closed) this.startCommit();
    else if (this.hasPending() && !this.closed) this.schedule();
  }

  private hasPending(): boolean {
    return this.pending.length > 0 || this.pendingWrites.length > 0;
  }

  private notifyListeners(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private storedHead(): number {
    return Number(this.database.statement(HEAD).get()?.['head'] ?? 0);
  }
}
