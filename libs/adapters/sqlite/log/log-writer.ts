import type { AppendResult, EncodedEvent, ExpectedRevision, StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { CommitQueue } from '../commits/commit-queue.js';
import { toStoreUnavailable } from '../failures.js';
import type { Database } from '../folder/database.js';
import { writeAppends, type AppendRequest } from './write-appends.js';

/** Maximum number of appends per commit. It is limited, so that no append waits long for the others in its commit. */
const APPENDS_PER_COMMIT = 1_000;

const HEAD = 'SELECT max(position) AS head FROM events';

type Append = AppendRequest & {
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
};

/** A component that writes its state in the same commit as events. */
export type AppendParticipant = {
  /** Called when the writes of the events are recorded or run. An exception rejects the appends. */
  readonly onAppended: (appended: readonly StoredEvent[]) => void;
  /** Called when the commit is durable. */
  readonly onCommitted: () => void;
  /** Called when the commit was rolled back. */
  readonly onRolledBack: () => void;
};

/** Appends events to the log. All appends that wait for a commit share the next one, and its fsync. */
export class LogWriter {
  private pending: Append[] = [];
  private closed = false;
  private position: number;
  /** The position of the last event when this process opened the log. `lastPositionByType` includes only later events. */
  private readonly openedAt: number;
  /** For each event type: the end of the log after the last commit that contained an event of the type. */
  private readonly lastPositionByType = new Map<string, number>();
  private readonly participants: AppendParticipant[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly database: Database,
    private readonly queue: CommitQueue,
  ) {
    this.openedAt = this.position = this.storedHead();
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

  isClosed(): boolean {
    return this.closed;
  }

  /** Registers a participant. Participants are called in the order of their registration. */
  addParticipant(participant: AppendParticipant): void {
    this.participants.push(participant);
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
      if (this.pending.length === 1) this.addCommit();
      else this.queue.startIfFull();
    });
  }

  /** Rejects later appends, and resolves when the pending ones are durable or have failed. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.queue.close();
    this.notifyListeners();
  }

  /** Adds a commit for the pending appends to the queue. It takes them when it starts. */
  private addCommit(): void {
    let taken: readonly Append[] | null = null;
    let results: readonly AppendResult[] = [];
    let endPosition = this.position;
    this.queue.add({
      keys: ['appends'],
      callers: () => this.pending.length,
      run: () => {
        // A repeated commit begins anew.
        if (taken) this.notifyRollback();
        const written = writeAppends(this.database, this.position, (taken ??= this.takePending()));
        if (written.appended.length > 0) for (const participant of this.participants) participant.onAppended(written.appended);
        results = written.results;
        endPosition = this.position + written.appended.length;
      },
      isStored: () => endPosition > this.position && this.storedHead() >= endPosition,
      onCommitted: () => this.onCommitted(taken ?? [], endPosition),
      onDone: () => {
        for (const [index, { resolve }] of (taken ?? []).entries()) resolve(results[index]);
        if (results.some(({ kind }) => kind === 'appended')) this.notifyListeners();
      },
      onFailed: (error) => {
        this.notifyRollback();
        // Nothing was taken if the commit did not start: the disk had stopped, or the store was closed.
        for (const { reject } of taken ?? this.pending.splice(0)) reject(toStoreUnavailable(error));
      },
    });
  }

  private takePending(): readonly Append[] {
    const taken = this.pending.splice(0, this.closed ? this.pending.length : APPENDS_PER_COMMIT);
    if (this.pending.length > 0) this.addCommit();
    return taken;
  }

  private onCommitted(appends: readonly Append[], endPosition: number): number {
    const rows = endPosition - this.position;
    this.position = endPosition;
    for (const { events } of appends) for (const { type } of events) this.lastPositionByType.set(type, endPosition);
    for (const participant of this.participants) participant.onCommitted();
    return rows;
  }

  private notifyRollback(): void {
    for (const participant of this.participants) participant.onRolledBack();
  }

  private notifyListeners(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private storedHead(): number {
    return Number(this.database.statement(HEAD).get()?.['head'] ?? 0);
  }
}
