import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Collection, Documents } from '../../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../eventsourcing/ports/event-store.port.js';
import type { Parked } from '../../../eventsourcing/ports/parked.port.js';
import type { WorkQueue } from '../../../eventsourcing/ports/work-queue.port.js';
import type { HistoryFault } from '../../../eventsourcing/history.js';
import { EventRows } from './event-rows.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { Database } from '../folder/database.js';
import { STORE_FILE } from '../folder/file-names.js';
import { FolderRefused } from '../folder/refused.js';
import { positionIn } from '../documents/checkpoints.js';
import { tableNameOf } from '../documents/declared-sql.js';
import { DocumentTables } from '../documents/document-tables.js';
import { ConsumerRecords } from '../messages/consumer-records.js';
import { allParkedStreams } from '../projections/parked-streams.js';
import { waitingWork } from '../work-queue.js';
import { findUnprojectedEvents } from './unprojected-events.js';
import { findMissingEnd, findMissingStreams, type CoveredStreams } from './missing-events.js';

/** A read-only snapshot of a folder's log, and of what the store keeps beside it. Another process may write to the folder meanwhile. */
export type LogFile = {
  readonly store: Pick<EventStore, 'readAll' | 'readStream'>;
  /** The position of the last event. */
  readonly head: number;
  /**
   * Compares the log with the read models, and with the checkpoints of the log's readers. Returns a fault for each stream that
   * lacks events, and a fault if the end of the log is missing.
   */
  readonly findMissingEvents: (covered: readonly CoveredStreams[]) => readonly HistoryFault[];
  /** Returns a fault for each stream that has more events than its document in a read model shows. */
  readonly findUnprojectedEvents: (covered: readonly CoveredStreams[]) => readonly HistoryFault[];
  /** Reads documents. A collection that the folder does not have is empty. */
  readonly documents: Pick<Documents, 'get' | 'find' | 'checkpoint'>;
  /** Lists what readers and consumers have parked. */
  readonly parked: Parked;
  /** Returns work that is not done, as `WorkQueue.waiting` does. */
  readonly waiting: WorkQueue['waiting'];
  readonly close: () => void;
};

/** Number of documents that are compared with the log at a time. */
const ROWS = 5_000;
const TABLE = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?";

/** Opens a folder's log for reading. Throws FolderRefused if the folder has no log, or the log cannot be read. */
export const openLogFile = (directory: string): LogFile => {
  const connection = openSnapshot(directory);
  const database = new Database(connection);
  const rows = new EventRows(database);
  const head = Number(connection.prepare('SELECT max(position) AS head FROM events').get()?.['head'] ?? 0);
  // An older release may have written the folder. The tables of newer read models are then missing.
  const existing = (covered: readonly CoveredStreams[]) =>
    covered.filter(({ collection }) => database.statement(TABLE).get(tableNameOf(collection)));
  return {
    store: {
      readStream: async (stream, from, limit) => rows.ofStream(stream, from, limit),
      readAll: async (after, limit) => rows.after(after, limit),
    },
    head,
    findMissingEvents(covered) {
      const end = findMissingEnd(database);
      return [...(end ? [end] : []), ...existing(covered).flatMap((each) => findAllMissing(database, each))];
    },
    findUnprojectedEvents: (covered) => existing(covered).flatMap((each) => findUnprojectedEvents(database, each)),
    documents: documentsIn(database, head),
    parked: {
      streams: async () => allParkedStreams(database),
      keys: async () => new ConsumerRecords(database).allParked(),
    },
    waiting: async (queue, limit) => waitingWork(database, queue, limit),
    close: () => database.close(),
  };
};

const documentsIn = (database: Database, head: number): LogFile['documents'] => {
  const tables = new DocumentTables(database, new Set());
  const isStored = (collection: Collection): boolean => database.statement(TABLE).get(tableNameOf(collection)) !== undefined;
  return {
    get: async (collection, key) => (isStored(collection) ? tables.get(collection, key) : null),
    find: async (collection, find) => (isStored(collection) ? tables.find(collection, find) : []),
    checkpoint: async (name) => positionIn(database, name, head),
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
    // The first read of a transaction starts its snapshot.
    connection.prepare('SELECT count(*) FROM sqlite_schema').get();
    return connection;
  } catch (error) {
    throw new FolderRefused('unusable', `${STORE_FILE} in ${directory} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
};
