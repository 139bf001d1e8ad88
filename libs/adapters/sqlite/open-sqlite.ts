import { join } from 'node:path';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';
import type { HistoryFault } from '../../eventsourcing/history.js';
import type { Messages } from '../../eventsourcing/ports/messages.port.js';
import type { ParkedStream, Projector } from '../../eventsourcing/projection.js';
import { tableNameOf } from './documents/declared-sql.js';
import { reasonOf } from '../../eventsourcing/reason.js';
import { isSqliteFailure, promised } from './failures.js';
import { IN_MEMORY, openDatabase, PRAGMAS, STORE_FILE, type Database } from './folder/database.js';
import { inPlace } from './folder/in-place.js';
import { FolderRefused } from './folder/refused.js';
import { migrate, STORE_MIGRATIONS } from './folder/migrations.js';
import { openFolder, type OpenFolder } from './folder/open-folder.js';
import { hasRoom } from './folder/room.js';
import { WalCheckpoints } from './folder/wal-checkpoints.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';
import { EventLog } from './log/event-log.js';
import { CommitThread } from './log/commit-thread.js';
import { lostEnd, lostStreams, missingPositions, type LostStreams, type ShownStreams } from './log/lost-events.js';
import { LogWriter } from './log/log-writer.js';
import { ConsumerRecords } from './messages/consumer-records.js';
import { SqliteMessages } from './messages/sqlite-messages.js';
import { openDocuments } from './open-documents.js';
import { InlineProjections } from './projections/inline-projections.js';
import type { ProjectionParts } from './projections/projection-parts.js';
import type { ParkedProjection } from './projections/parked-streams.js';
import { retryParkedStreams, withdraw, type FreedStream, type StandingFault } from './projections/retry-parked.js';
import { beginRebuilding, type Rebuilding } from './projections/rebuilding.js';
import { withdrawStandIn } from './projections/stand-ins.js';
import { SqliteWorkQueue } from './work-queue.js';

/** Pages kept in memory, in KiB: the ends of the indexes that appends write to, and what is read often. */
const CACHE_KIB = 131_072;
const CACHE = `PRAGMA cache_size = -${CACHE_KIB}`;
/**
 * The thread that writes carries the write-ahead log over by itself only when it has grown to 256 MiB: that is another
 * thread's work, done aside.
 */
const THREAD_PRAGMAS = `${PRAGMAS}; ${CACHE}; PRAGMA wal_autocheckpoint = 65536`;

export type SqliteOptions = {
  /** A folder, made when it is missing, or `:memory:`, which keeps nothing. */
  readonly directory: string;
  /** The read models that change within the appends, once they have caught up. */
  readonly projectors: readonly Projector[];
  readonly codec: ReadCodec;
  readonly clock: Clock;
  readonly log: Log;
  /** The folder where it is open already; closed with the rest, also when opening is refused. */
  readonly folder?: OpenFolder;
};

/** The ports of the embedded profile on one folder. */
export type Sqlite = {
  readonly events: EventStore;
  /** Until a new version of a read model is complete, reads of it are served by the old one. */
  readonly documents: Documents;
  /** The same documents for the process that fills a new version: no older version answers for it. */
  readonly building: Documents;
  readonly messages: Messages;
  readonly work: SqliteWorkQueue;
  readonly keys: KeyVault;
  /** The position of the log's last event. */
  readonly head: () => number;
  /** Whether the disk takes writes: asks it, so that it is seen before a write fails, and again when there is room. */
  readonly isWritable: () => Promise<boolean>;
  /** Tells other processes where this one answers. */
  readonly announce: (url: string) => void;
  readonly parkedStreams: () => readonly ParkedProjection[];
  readonly isParked: (projector: Projector, stream: string) => boolean;
  /** Parks streams that a projector could not take while it was catching up. */
  readonly park: (projector: Projector, parked: readonly ParkedStream[]) => Promise<void>;
  /** Parks broken streams for a projector, and takes their documents out of its read model. */
  readonly withdraw: (projector: Projector, faults: readonly HistoryFault[]) => Promise<void>;
  /** Projects every parked stream again, in order; answers those that came free. For start-up and a timer. */
  readonly retryParkedStreams: (standing: StandingFault) => Promise<readonly FreedStream[]>;
  /** Begins read models beside those in service, or goes on with those of a rebuild that was stopped. */
  readonly beginRebuilding: () => Rebuilding;
  /** Compares some documents, from a row on, with the log. */
  readonly lostStreams: (shown: ShownStreams, after: number, limit: number) => LostStreams;
  /** The positions that the log lacks; it takes a while where the log is long. */
  readonly missingPositions: () => readonly HistoryFault[];
  /** Says whether the log ends before the place that its readers have reached. */
  readonly lostEnd: () => HistoryFault | null;
  /** Writes what waits, ends what runs and lets go of the folder. */
  readonly close: () => Promise<void>;
};

/** Opens a folder's store. Rejects with FolderRefused when another process works on it, a newer version wrote it, or it cannot be used. */
export const openSqlite = async (options: SqliteOptions): Promise<Sqlite> => {
  const { directory, clock } = options;
  const { keys, lock } = options.folder ?? (await openFolder(directory, clock));
  let database: Database | null = null;
  try {
    database = openDatabase(directory, STORE_FILE);
    database.connection.exec(CACHE);
    migrate(database, STORE_MIGRATIONS);
    return compose(options, { database, lock, keys });
  } catch (error) {
    keys.close();
    database?.close();
    lock?.release();
    throw isSqliteFailure(error) ? notAStore(directory, error) : error;
  }
};

/** A table that is missing, or is another than it should be, is found only when it is read. */
const notAStore = (directory: string, error: unknown): FolderRefused =>
  new FolderRefused('damaged', `${directory} cannot be opened: ${STORE_FILE}: ${reasonOf(error)}. Restore a backup into another folder`, {
    cause: error,
  });

type Opened = Pick<OpenFolder, 'lock' | 'keys'> & { readonly database: Database };

const compose = (options: SqliteOptions, { database, lock, keys }: Opened): Sqlite => {
  const { directory, clock, log } = options;
  const thread = lock && new CommitThread(join(directory, STORE_FILE), THREAD_PRAGMAS);
  const isInPlace = lock ? inPlace(join(directory, STORE_FILE)) : () => true;
  const writer = new LogWriter(database, thread, isInPlace);
  const { parts, documents, building, collections } = openDocuments(options, database, writer);
  const messages = new SqliteMessages({ records: new ConsumerRecords(database), writer, clock, log });
  const checkpoints = lock && new WalCheckpoints(database, join(directory, STORE_FILE), () => thread?.checkpoint(), clock, log);
  for (const part of [new InlineProjections(parts), messages, ...(checkpoints ? [checkpoints] : [])]) writer.join(part);

  const close = async (): Promise<void> => {
    await messages.close();
    writer.close();
    await thread?.close();
    await collections.close();
    await checkpoints?.close();
    database.close();
    keys.close();
    lock?.release();
  };
  let closing: Promise<void> | null = null;

  return {
    events: new EventLog(database, writer),
    documents,
    building,
    messages,
    work: new SqliteWorkQueue(database, clock),
    keys,
    head: () => writer.head(),
    isWritable: async () => isInPlace() && isWritable(directory, documents, writer, clock),
    announce: (url) => lock?.announce(url),
    ...parkedStreamsOf(parts),
    beginRebuilding: () => beginRebuilding(parts),
    ...lostEventsOf(database),
    close: () => (closing ??= close()),
  };
};

type ParkedStreamPorts = Pick<Sqlite, 'parkedStreams' | 'isParked' | 'park' | 'withdraw' | 'retryParkedStreams'>;

const parkedStreamsOf = (parts: ProjectionParts): ParkedStreamPorts => ({
  parkedStreams: () => parts.parked.all(),
  isParked: ({ collection }, stream) => parts.parked.isParked(tableNameOf(collection), stream),
  park: (projector, streams) => park(parts, projector, streams),
  withdraw: (projector, faults) => withdrawAll(parts, projector, faults),
  retryParkedStreams: (standing) => retryParkedStreams(parts, standing),
});

const lostEventsOf = (database: Database): Pick<Sqlite, 'lostStreams' | 'missingPositions' | 'lostEnd'> => ({
  lostStreams: (shown, after, limit) => lostStreams(database, shown, after, limit),
  missingPositions: () => missingPositions(database),
  lostEnd: () => lostEnd(database),
});

/** Where the last commit failed, room on the disk is not enough: the file itself must take a write again. */
const isWritable = async (directory: string, documents: Documents, writer: LogWriter, clock: Clock): Promise<boolean> => {
  if (directory !== IN_MEMORY && !(await hasRoom(directory))) return false;
  if (!writer.isRefused()) return true;
  const checkpoint = { name: 'writable', position: clock.now().getTime() };
  return documents.apply([], checkpoint).then(
    () => true,
    () => false,
  );
};

const park = ({ database, parked, log }: ProjectionParts, { collection }: Projector, streams: readonly ParkedStream[]): Promise<void> =>
  promised(() => {
    const projection = tableNameOf(collection);
    database.transaction(() => streams.forEach((stream) => parked.add(projection, stream)));
    for (const stream of streams) log.error({ projection, ...stream }, 'a projection failed on an event; its stream is parked');
  });

const withdrawAll = (parts: ProjectionParts, projector: Projector, faults: readonly HistoryFault[]): Promise<void> =>
  promised(() => {
    const { database, parked, collections } = parts;
    const projection = tableNameOf(projector.collection);
    const standIn = collections.standInOf(projector.collection);
    database.transaction(() => {
      for (const { stream, revision, reason } of faults) {
        parked.add(projection, { stream, revision, position: 0, reason });
        withdraw(parts, projector, stream);
        if (standIn) withdrawStandIn(parts, projector, standIn, stream);
      }
    });
  });
