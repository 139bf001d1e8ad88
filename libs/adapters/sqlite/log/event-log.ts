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
import { storedEventOf } from './stored-event.js';

const COLUMNS = 'position, stream, revision, id, type, metadata, data';
const READ_STREAM = `SELECT ${COLUMNS} FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`;
const READ_ALL = `SELECT ${COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?`;
/** In SQLite a negative LIMIT means no limit. */
const NO_LIMIT = -1;
const BATCH_SIZE = 1_000;

/** The event store: all events are in one table. */
export class EventLog implements EventStore {
  constructor(
    private readonly database: Database,
    private readonly writer: LogWriter,
  ) {}

  append(stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): Promise<AppendResult> {
    return this.writer.append(stream, expected, events);
  }

  readStream(stream: string, from = 0, limit = NO_LIMIT): Promise<readonly StoredEvent[]> {
    return runAsPromise(() => this.database.statement(READ_STREAM).all(stream, from, limit).map(storedEventOf));
  }

  readAll(after: number, limit: number): Promise<readonly StoredEvent[]> {
    return runAsPromise(() => this.database.statement(READ_ALL).all(after, limit).map(storedEventOf));
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
