import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { EventStore, StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import type { HistoryFault } from '../../../eventsourcing/history.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { Database, STORE_FILE } from '../folder/database.js';
import { FolderRefused } from '../folder/refused.js';
import { tableNameOf } from '../documents/declared-sql.js';
import { findMissingEnd, findMissingStreams, type CoveredStreams } from './missing-events.js';
import { storedEventOf } from './stored-event.js';

/** A read-only snapshot of a folder's log. Another process may write to the log meanwhile. */
export type LogFile = {
  readonly store: Pick<EventStore, 'readAll' | 'readStream'>;
  /** The position of the last event. */
  readonly head: number;
  /** Compares the log with read models and positions of readers. Returns a fault for each loss of events. */
  readonly findMissingEvents: (covered: readonly CoveredStreams[]) => readonly HistoryFault[];
  readonly close: () => void;
};

const COLUMNS = 'position, stream, revision, id, type, metadata, data';
const READ_STREAM = `SELECT ${COLUMNS} FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`;
const READ_ALL = `SELECT ${COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?`;
const NO_LIMIT = -1;
/** Number of documents that are compared with the log at a time. */
const ROWS = 5_000;
const TABLE = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?";

/** Opens a folder's log for reading. Throws FolderRefused if there is none. */
export const openLogFile = (directory: string): LogFile => {
  const connection = openSnapshot(directory);
  const database = new Database(connection);
  return {
    store: {
      readStream: async (stream, from = 0, limit = NO_LIMIT) => database.statement(READ_STREAM).all(stream, from, limit).map(storedEventOf),
      readAll: async (after, limit): Promise<readonly StoredEvent[]> => database.statement(READ_ALL).all(after, limit).map(storedEventOf),
    },
    head: Number(connection.prepare('SELECT max(position) AS head FROM events').get()?.['head'] ?? 0),
    findMissingEvents(covered) {
      const end = findMissingEnd(database);
      const existing = covered.filter(({ collection }) => database.statement(TABLE).get(tableNameOf(collection)));
      return [...(end ? [end] : []), ...existing.flatMap((each) => findAllMissing(database, each))];
    },
    close: () => database.close(),
  };
};

const findAllMissing = (database: Database, covered: CoveredStreams): readonly HistoryFault[] => {
  const faults: HistoryFault[] = [];
  for (let row: number | null = 0; row !== null;) {
    const missing = findMissingStreams(database, covered, row, ROWS);
    faults.push(...missing.faults);
    row = missing.next;
  }
  return faults;
};

const openSnapshot = (directory: string): DatabaseSync => {
  try {
    const path = join(directory, STORE_FILE);
    // Opening a named pipe would block.
    if (!statSync(path).isFile()) throw new Error('it is not a file');
    const connection = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    connection.exec('BEGIN');
    connection.prepare('SELECT count(*) FROM sqlite_schema').get();
    return connection;
  } catch (error) {
    throw new FolderRefused('unusable', `${STORE_FILE} in ${directory} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
};
