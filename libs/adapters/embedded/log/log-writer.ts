import type { AppendResult, EncodedEvent, ExpectedRevision, StoredEvent } from '../../../eventsourcing/event-store.port.js';
import { StoreUnavailable } from '../../../eventsourcing/event-store.port.js';
import { unavailable } from '../failures.js';
import type { Database } from '../folder/database.js';

/** A commit takes at most so many appends, so that none waits long for the others. */
const APPENDS_PER_COMMIT = 1_000;

const LAST = 'SELECT revision FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1';
const THERE = 'SELECT id, position FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?';
const INSERT = 'INSERT INTO events (position, stream, revision, id, type, metadata, data) VALUES (?, ?, ?, ?, ?, ?, ?)';
const HEAD = 'SELECT max(position) AS head FROM events';

/** Something that changes in the same commit as the log. */
export type CommitPart = {
  /** Within the transaction, after its events were written. What it throws undoes the whole transaction. */
  readonly inside: (appended: readonly StoredEvent[]) => void;
  /** The transaction is on the disk; so many rows of events are new. */
  readonly committed: (rows: number) => void;
  /** The transaction is undone. */
  readonly rolledBack: () => void;
};

type Append = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
};

/** Writes the log. Appends that arrive in one turn of the event loop share one transaction, and so one wait for the disk. */
export class LogWriter {
  private waiting: Append[] = [];
  private scheduled = false;
  private closed = false;
  private position: number;
  private readonly parts: CommitPart[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(private readonly database: Database) {
    this.position = this.storedHead();
  }

  /** The position of the log's last event, 0 when it has none. */
  head(): number {
    return this.position;
  }

  isClosed(): boolean {
    return this.closed;
  }

  /** Lets `part` change with every commit from now on, after the parts that came before it. */
  join(part: CommitPart): void {
    this.parts.push(part);
  }

  /** Calls back whenever the log has grown or was closed; the answer ends it. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<AppendResult> {
    if (this.closed) return Promise.reject(new StoreUnavailable('the store is closed'));
    if (events.length === 0) return Promise.reject(new RangeError('an append needs at least one event'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ stream, expected, events, resolve, reject });
      this.schedule();
    });
  }

  /** Writes what waits, and takes no more. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    while (this.waiting.length > 0) this.flush();
    this.changed();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    // One turn more than needed lets in the requests that arrived meanwhile: a tenth more appends a commit, under load.
    setImmediate(() => setImmediate(() => this.flushScheduled()));
  }

  private flushScheduled(): void {
    this.scheduled = false;
    this.flush();
    if (this.waiting.length > 0) this.schedule();
  }

  private flush(): void {
    const batch = this.waiting.length > APPENDS_PER_COMMIT ? this.waiting.splice(0, APPENDS_PER_COMMIT) : this.waiting;
    if (batch === this.waiting) this.waiting = [];
    if (batch.length === 0) return;
    const before = this.position;
    let answers: readonly AppendResult[];
    try {
      answers = this.commit(batch);
    } catch (error) {
      this.position = before;
      for (const part of this.parts) part.rolledBack();
      for (const { reject } of batch) reject(unavailable(error));
      return;
    }
    for (const part of this.parts) part.committed(this.position - before);
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index]);
    if (this.position > before) this.changed();
  }

  private commit(batch: readonly Append[]): AppendResult[] {
    return this.database.transaction(() => {
      const appended: StoredEvent[] = [];
      const answers = batch.map((append) => this.write(append, appended));
      if (appended.length > 0) for (const part of this.parts) part.inside(appended);
      return answers;
    });
  }

  private write({ stream, expected, events }: Append, appended: StoredEvent[]): AppendResult {
    const actual = (this.database.statement(LAST).get(stream)?.['revision'] ?? 'none') as ExpectedRevision;
    const first = expected === 'none' ? 0 : expected + 1;
    if (actual !== expected) return this.answeredBefore(stream, first, events) ?? { kind: 'conflict', actual };
    const insert = this.database.statement(INSERT);
    for (const [index, { id, type, data, metadata }] of events.entries()) {
      const position = ++this.position;
      const revision = first + index;
      insert.run(position, stream, revision, id, type, metadata, data);
      appended.push({ position, stream, revision, id, type, data, metadata });
    }
    return { kind: 'appended', revision: first + events.length - 1, position: this.position };
  }

  /** "The same event ids appended again at the same place answer as the first time." */
  private answeredBefore(stream: string, first: number, events: readonly EncodedEvent[]): AppendResult | null {
    const there = this.database.statement(THERE).all(stream, first, events.length);
    if (there.length !== events.length || there.some(({ id }, index) => id !== events[index]?.id)) return null;
    return { kind: 'appended', revision: first + events.length - 1, position: Number(there.at(-1)?.['position']) };
  }

  private changed(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private storedHead(): number {
    return Number(this.database.statement(HEAD).get()?.['head'] ?? 0);
  }
}
