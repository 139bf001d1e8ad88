import type {
  AppendResult,
  EncodedEvent,
  EventBatch,
  EventStore,
  ExpectedRevision,
  StoredEvent,
} from '../../../eventsourcing/ports/event-store.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { runAsPromise } from '../failures.js';
import type { Database } from '../folder/database.js';
import type { LogWriter } from './log-writer.js';
import { EventRows } from './event-rows.js';

const BATCH_SIZE = 1_000;

/** The event store: all events are in one table. */
export class EventLog implements EventStore {
  private readonly rows: EventRows;

  constructor(
    database: Database,
    private readonly writer: LogWriter,
  ) {
    this.rows = new EventRows(database);
  }

  append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<AppendResult> {
    return this.writer.append(stream, expected, events);
  }

  readStream(stream: string, from?: number, limit?: number): Promise<readonly StoredEvent[]> {
    return runAsPromise(() => this.rows.ofStream(stream, from, limit));
  }

  readAll(after: number, limit: number): Promise<readonly StoredEvent[]> {
    return runAsPromise(() => this.rows.after(after, limit));
  }

  async *subscribe(after: number, signal: AbortSignal): AsyncIterable<EventBatch> {
    let position = after;
    for (let hasReportedCaughtUp = false; !signal.aborted;) {
      const events = await this.readAll(position, BATCH_SIZE);
      position = events.at(-1)?.position ?? position;
      const caughtUp = position >= this.writer.head();
      // When the subscriber first reaches the end of the log, it gets a batch with `caughtUp`, even if there are no new events.
      if (events.length > 0 || !hasReportedCaughtUp) yield { events, caughtUp };
      hasReportedCaughtUp ||= caughtUp;
      if (caughtUp) await this.waitForAppend(position, signal);
    }
  }

  /** Resolves when the log grows beyond `position` or `signal` aborts. Rejects when the log is closed. */
  private waitForAppend(position: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const closed = this.writer.isClosed();
        if (!signal.aborted && !closed && this.writer.head() <= position) return;
        unsubscribe();
        signal.removeEventListener('abort', check);
        if (closed && !signal.aborted) reject(new StoreUnavailable('the store is closed'));
        else resolve();
      };
      const unsubscribe = this.writer.onChange(check);
      signal.addEventListener('abort', check);
      check();
    });
  }
}
