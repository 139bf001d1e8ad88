import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import type { Projector } from '../../eventsourcing/projection.js';
import { Checkpoints } from './documents/checkpoints.js';
import { Collections } from './documents/collections.js';
import { tableNameOf } from './documents/declared-sql.js';
import { DocumentTables } from './documents/document-tables.js';
import { DocumentSearch } from './search/document-search.js';
import type { SearchThread } from './search/search-thread.js';
import { SqliteDocuments } from './documents/sqlite-documents.js';
import type { Database } from './folder/database.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';
import type { CommitQueue } from './commits/commit-queue.js';
import type { LogWriter } from './log/log-writer.js';
import type { ProjectionDependencies } from './projections/projection-dependencies.js';
import { FolderTarget } from './projections/folder-target.js';
import { ParkedStreams } from './projections/parked-streams.js';

type ProjectionOptions = {
  readonly projectors: readonly Projector[];
  readonly codec: ReadCodec;
  readonly clock: Clock;
  readonly log: Log;
};

type OpenDocuments = {
  readonly dependencies: ProjectionDependencies;
  readonly documents: Documents;
  readonly projectionDocuments: SqliteDocuments;
  readonly target: FolderTarget;
  readonly collections: Collections;
};

/** The parts of a store that its documents use. */
type DocumentStore = {
  readonly database: Database;
  readonly queue: CommitQueue;
  readonly writer: LogWriter;
  /** Null for a store in memory. */
  readonly searches: SearchThread | null;
};

/** Opens the read models of `projectors`. An append also updates the read models that have caught up. */
export const openDocuments = (
  { projectors, codec, clock, log }: ProjectionOptions,
  { database, queue, writer, searches }: DocumentStore,
): OpenDocuments => {
  const tables = new DocumentTables(database, new Set(projectors.map(({ collection }) => collection.name)), searches);
  const search = searches && new DocumentSearch(tables, searches);
  const inlineNames = new Set(projectors.map(({ collection }) => tableNameOf(collection)));
  const checkpoints = new Checkpoints(database, () => writer.head(), inlineNames);
  const collections = new Collections(database, queue, log);
  const parked = new ParkedStreams(database);
  const documentParts = { database, tables, checkpoints, collections, parked, queue, search, writer, clock };
  queue.addListener({ onCommit: () => tables.onTransactionEnd(), onRollback: () => tables.onTransactionEnd() });
  const projectionDocuments = new SqliteDocuments(documentParts, 'builder');
  for (const { collection } of projectors) projectionDocuments.open(collection);
  projectionDocuments.dropReplaced();
  const documents = new SqliteDocuments(documentParts, 'reader');
  const dependencies = { ...documentParts, projectors, codec, log };
  const target = new FolderTarget(dependencies, projectionDocuments);
  return { dependencies, documents, projectionDocuments, target, collections };
};
