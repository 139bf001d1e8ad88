import type { StatementSync } from 'node:sqlite';
import type { StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import type { Database } from '../folder/database.js';

const COLUMNS = 'position, stream, revision, id, type, metadata, data';
const READ_STREAM = `SELECT ${COLUMNS} FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`;
const READ_ALL = `SELECT ${COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?`;
/** In SQLite a negative LIMIT means no limit. */
const NO_LIMIT = -1;

/** Reads events from the table of the log. */
export class EventRows {
  private readonly stream: StatementSync;
  private readonly all: StatementSync;

  constructor(database: Database) {
    this.stream = database.statement(READ_STREAM);
    this.all = database.statement(READ_ALL);
    // Node reads rows as arrays in half the time that objects take. This matters to readers of the whole log.
    for (const statement of [this.stream, this.all]) statement.setReturnArrays(true);
  }

  ofStream(stream: string, from = 0, limit = NO_LIMIT): readonly StoredEvent[] {
    return eventsOf(this.stream.all(stream, from, limit));
  }

  after(position: number, limit: number): readonly StoredEvent[] {
    return eventsOf(this.all.all(position, limit));
  }
}

/** Returns the events in rows of COLUMNS. */
const eventsOf = (rows: unknown): readonly StoredEvent[] =>
  (rows as readonly (readonly [number, string, number, string, string, string, string])[]).map(
    ([position, stream, revision, id, type, metadata, data]) => ({ position, stream, revision, id, type, data, metadata }),
  );
