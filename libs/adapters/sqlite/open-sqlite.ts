import { join } from 'node:path';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import type { HistoryFault } from '../../eventsourcing/history.js';
import type { Messages, ParkedKey } from '../../eventsourcing/ports/messages.port.js';
import { brokenStream, removeStreams, type ProjectionTarget } from '../../eventsourcing/projecting.js';
import type { Projector } from '../../eventsourcing/projection.js';
import { CommitQueue } from './commits/commit-queue.js';
import { CommitThread } from './commits/commit-thread.js';
import { tableNameOf } from './documents/declared-sql.js';
import { reasonOf } from '../../eventsourcing/reason.js';
import { isSqliteFailure } from './failures.js';
import { openDatabase, PRAGMAS, type Database } from './folder/database.js';
import { STORE_FILE } from './folder/file-names.js';
import { FolderRefused } from './folder/refused.js';
import { migrate, STORE_MIGRATIONS } from './folder/migrations.js';
import { openFolder, type OpenFolder } from './folder/open-folder.js';
import { WalCheckpoints } from './folder/wal-checkpoints.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';
import { EventLog } from './log/event-log.js';
import {
  findMissingEnd,
  findMissingStreams,
  findMissingPositions,
  type MissingStreams,
  type CoveredStreams,
} from './log/missing-events.js';
import { LogWriter } from './log/log-writer.js';
import { ConsumerRecords } from './messages/consumer-records.js';
import { SqliteMessages } from './messages/sqlite-messages.js';
import { openDocuments } from './open-documents.js';
import { FolderFills } from './projections/fills.js';
import { InlineProjections } from './projections/inline-projections.js';
import type { FolderTarget } from './projections/folder-target.js';
import type { ParkedProjection } from './projections/parked-streams.js';
import { refold, retryParkedStreams, type KnownFaults, type ReleasedStream } from './projections/retry-parked.js';
import { startRebuild, type Rebuild } from './projections/rebuilding.js';
import { SearchThread } from './search/search-thread.js';
import { FolderWatch } from './watching/folder-watch.js';
import { createWriteCheck } from './watching/write-check.js';
import { SqliteWorkQueue } from './work-queue.js';

/**
 * The size of the page cache of each connection in KiB (32 MiB). It has room for the index pages that appends write. What it lacks is
 * usually in the cache of the system. SQLite takes a negative cache_size as KiB.
 */
const CACHE_KIB = 32_768;
/**
 * Normally WalCheckpoints checkpoints the write-ahead log outside of commits. If that log nevertheless reaches 256 MiB (65536
 * pages), the commit thread runs a checkpoint as a part of a commit, which then takes longer.
 */
const threadPragmas = (cacheKib: number): string => `${PRAGMAS}; PRAGMA cache_size = -${cacheKib}; PRAGMA wal_autocheckpoint = 65536`;

export type SqliteOptions = {
  /** A folder, which is created if missing, or `:memory:`. */
  readonly directory: string;
  /** The projections. After they have caught up, each append updates their read models. */
  readonly projectors: readonly Projector[];
  readonly codec: ReadCodec;
  readonly clock: Clock;
  readonly log: Log;
  /** The size of the page cache of each of the two connections in KiB. Default: room for what a service writes and reads often. */
  readonly cacheKib?: number;
  /** The folder, if the caller has already opened it. The folder is closed with the store, or if the store cannot be opened. */
  readonly folder?: OpenFolder;
};

/** The ports of the embedded profile on one folder. */
export type SqliteStore = {
  readonly events: EventStore;
  /** The read models for queries. Until a new version is complete, queries read the previous version. */
  readonly documents: Documents;
  /** The read models for projections. A call reads or writes exactly the version that the caller passes. */
  readonly projectionDocuments: Documents;
  /** The read models, for the engine that fills them. */
  readonly target: ProjectionTarget;
  readonly messages: Messages;
  readonly work: SqliteWorkQueue;
  readonly keys: KeyVault;
  /** Returns the position of the last event in the log. */
  readonly head: () => number;
  /** Returns why a write would fail, for example because a file was removed or the disk is full, or null. */
  readonly whyNotWritable: () => Promise<string | null>;
  /** Writes the URL of this process to a file, for other processes that open the folder. */
  readonly announce: (url: string, issuer?: string) => void;
  readonly parkedStreams: () => readonly ParkedProjection[];
  /** Returns the parked keys of all consumers, in the order in which they were parked. */
  readonly parkedKeys: () => readonly ParkedKey[];
  /** Pauses the read models of these projections, and resumes all others. It is durable when the promise resolves. */
  readonly setPaused: (names: ReadonlySet<string>) => Promise<void>;
  /** The fills beside the read models. */
  readonly fills: FolderFills;
  /** Returns whether each append updates a read model, because it has caught up. */
  readonly isInline: (collection: Collection) => boolean;
  /** Parks broken streams for a projector and removes their documents from its read model. `faults` has one of each stream. */
  readonly removeBrokenDocuments: (projector: Projector, faults: readonly HistoryFault[]) => Promise<void>;
  /** Retries every parked stream, and returns those that are no longer parked. Called at startup and by a timer. */
  readonly retryParkedStreams: (faults: KnownFaults) => Promise<readonly ReleasedStream[]>;
  /** Folds a stream of a read model again from its first event. */
  readonly refold: (projector: Projector, stream: string, faults: KnownFaults) => Promise<void>;
  /** Starts a rebuild into new read models, beside the current ones, or resumes an interrupted rebuild. */
  readonly startRebuild: () => Rebuild;
  /**
   * Checks up to `limit` documents, which follow the row `after`, against the log. Returns a fault for each stream that lacks
   * events.
   */
  readonly findMissingStreams: (covered: CoveredStreams, after: number, limit: number) => MissingStreams;
  /** Returns a fault for each gap in the positions of the log. Takes long for a long log. */
  readonly findMissingPositions: () => readonly HistoryFault[];
  /** Returns a fault if the log ends before the checkpoint of a reader. */
  readonly findMissingEnd: () => HistoryFault | null;
  /** Writes pending appends, stops all work and unlocks the folder. */
  readonly close: () => Promise<void>;
};

/**
 * Opens a folder's store. Rejects with FolderRefused when the folder is in use, was written by a newer version of this software,
 * or is unusable.
 */
export const openSqlite = async (options: SqliteOptions): Promise<SqliteStore> => {
  const { directory, clock } = options;
  const { keys, lock } = options.folder ?? (await openFolder(directory, clock));
  let database: Database | null = null;
  try {
    database = openDatabase(directory, STORE_FILE);
    database.connection.exec(`PRAGMA cache_size = -${options.cacheKib ?? CACHE_KIB}`);
    migrate(database, STORE_MIGRATIONS);
    return await composePorts(options, { database, lock, keys });
  } catch (error) {
    await keys.close();
    database?.close();
    lock?.release();
    throw isSqliteFailure(error) ? unusableStore(directory, error) : error;
  }
};

/** Creates the error for a store that SQLite cannot read, for example because a table is missing. */
const unusableStore = (directory: string, error: unknown): FolderRefused =>
  new FolderRefused('damaged', `${directory} cannot be opened: ${STORE_FILE}: ${reasonOf(error)}. Restore a backup to another folder`, {
    cause: error,
  });

type OpenDependencies = Pick<OpenFolder, 'lock' | 'keys'> & { readonly database: Database };

const composePorts = async (options: SqliteOptions, { database, lock, keys }: OpenDependencies): Promise<SqliteStore> => {
  const { directory, clock, log } = options;
  const thread = lock && new CommitThread(join(directory, STORE_FILE), threadPragmas(options.cacheKib ?? CACHE_KIB));
  const watch = lock && new FolderWatch({ directory, clock, log, onLostFile: () => void queue.truncateLog() });
  const problem = (): string | null => watch?.problem() ?? null;
  const queue = new CommitQueue(database, thread, { problem });
  const writer = new LogWriter(database, queue);
  const searches = lock && new SearchThread(join(directory, STORE_FILE), log, clock);
  const { dependencies, documents, projectionDocuments, target, collections } = openDocuments(options, {
    database,
    queue,
    writer,
    searches,
  });
  const fills = new FolderFills({ ...dependencies, queue, documents: projectionDocuments, searches }, options.projectors);
  const records = new ConsumerRecords(database);
  const messages = new SqliteMessages({ records, writer, queue, clock, log });
  const checkpoints = lock && new WalCheckpoints(database, join(directory, STORE_FILE), () => thread?.checkpoint(), clock, log);
  if (checkpoints) queue.addListener(checkpoints);
  for (const participant of [new InlineProjections(dependencies, target, () => fills.projectors()), messages])
    writer.addParticipant(participant);
  thread?.start();
  await watch?.start();

  const close = async (): Promise<void> => {
    for (const opened of [watch, messages, collections, writer, searches, checkpoints]) await opened?.close();
    database.close();
    await keys.close();
    lock?.release();
  };
  let closing: Promise<void> | null = null;

  return {
    events: new EventLog(database, writer),
    documents,
    projectionDocuments,
    target,
    messages,
    work: new SqliteWorkQueue(database, queue, clock),
    keys,
    head: () => writer.head(),
    whyNotWritable: createWriteCheck({ directory, queue, documents, clock, problem }),
    announce: (url, issuer) => lock?.announce(url, issuer),
    parkedStreams: () => dependencies.parked.all(),
    parkedKeys: () => records.allParked(),
    async setPaused(names) {
      for (const { name, collection } of options.projectors) await projectionDocuments.setPaused(collection, names.has(name));
    },
    fills,
    isInline: (collection) => dependencies.checkpoints.isInline(tableNameOf(collection)),
    removeBrokenDocuments: (projector, faults) => removeBrokenDocuments(target, projector, faults),
    retryParkedStreams: (faults) =>
      retryParkedStreams({ ...dependencies, projectors: [...options.projectors, ...fills.projectors()] }, target, faults),
    refold: (projector, stream, faults) => refold(dependencies, target, projector, stream, faults),
    startRebuild: () => startRebuild(dependencies),
    ...missingEventPorts(database),
    close: () => (closing ??= close()),
  };
};

const missingEventPorts = (database: Database): Pick<SqliteStore, 'findMissingStreams' | 'findMissingPositions' | 'findMissingEnd'> => ({
  findMissingStreams: (covered, after, limit) => findMissingStreams(database, covered, after, limit),
  findMissingPositions: () => findMissingPositions(database),
  findMissingEnd: () => findMissingEnd(database),
});

const removeBrokenDocuments = (target: FolderTarget, projector: Projector, faults: readonly HistoryFault[]): Promise<void> => {
  const { collection } = projector;
  const broken = faults.map((fault) => brokenStream(fault));
  return target.storeAll(() => [{ collection, ...removeStreams(projector, broken, (key) => target.get(collection, key)), reached: null }]);
};
