import type { Fills } from '../../eventsourcing/ports/fills.port.js';
import type { Projection } from '../../eventsourcing/projection.js';
import type { Collection as MongoCollection, Db, MongoClient } from 'mongodb';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { checkpointOf, type Checkpoint, type Collection, type Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Leases } from '../../eventsourcing/ports/leases.port.js';
import type { RateLimitCounters } from '../../ports/rate-limit-counters.port.js';
import type { WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import type { Blobs } from '../../ports/blobs.port.js';
import { GridFsBlobs, prepareBlobs } from './blobs.js';
import { clientOf, databaseIn } from './connection/connection.js';
import { DocumentReads } from './documents/document-reads.js';
import { Hints } from './documents/queries/hints.js';
import { MongoDocuments } from './documents/mongo-documents.js';
import type { ReaderRecord } from './documents/versions/reader-records.js';
import { CachedTotals } from './documents/queries/cached-totals.js';
import { MongoFills, type StoredWithFills } from './documents/versions/fills.js';
import { VersionLifecycle } from './documents/versions/version-lifecycle.js';
import { Versions } from './documents/versions/versions.js';
import { withPortErrors } from './connection/failures.js';
import { openKeyVault, type MongoKeys } from './keys/key-vault.js';
import { reencryptKeys, type ReencryptOptions, type ReencryptResult } from './keys/reencrypt.js';
import { Seal, type KeyEncryptionKeys } from './keys/seal.js';
import { MongoLeases, type LeaseRecord } from './leases.js';
import { watchPool, type PoolState } from './connection/pool-state.js';
import { endAbandonedTransactions } from './connection/abandoned-transactions.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';
import { MongoRateLimitCounters, prepareCounts, type CountRecord } from './rate-limit-counters.js';
import { recordTable, type RecordTable } from './record-table.js';
import { IndexedReads } from './search/indexed-reads.js';
import { SearchThread } from './search/search-thread.js';
import { MongoWorkQueue, prepareWork, type WorkRecord } from './work-queue.js';

/** Default maximum number of rate-limit records (contract 11.2). This many records take some megabytes. */
const MAX_BUCKETS = 100_000;
/**
 * How long a replaced version of a read model is kept for processes of the older release, which still read it. A deployment
 * replaces all of these processes in less time.
 */
const KEEP_REPLACED_MILLISECONDS = 15 * 60 * 1000;

export type MongoOptions = {
  /** The URL of a replica set, `mongodb://…`. Transactions need a replica set. */
  readonly url: string;
  /**
   * Separates the store from other stores on the same servers. The namespace is appended to the name of the database.
   * Default: none.
   */
  readonly namespace?: string;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * The name of this store's processes in the log of the database. By this name, a process finds
   * the abandoned transactions of the store's other processes. Default: the name of the database.
   */
  readonly appName?: string;
  /** How long replaced read models are kept for processes of an older release. Default: 15 minutes. */
  readonly keepReplacedMilliseconds?: number;
  /** A key of 32 bytes that wraps (encrypts) all stored keys. Without it, anyone with access to the database can read them. */
  readonly keyEncryptionKey?: Uint8Array;
  /** The former key-encryption key. It is set only while the key changes, so that keys which it wraps remain readable. */
  readonly previousKeyEncryptionKey?: Uint8Array;
  /** Maximum number of rate-limit records. */
  readonly maxBuckets?: number;
};

/** All adapters that store data in MongoDB. */
export type Mongo = {
  /**
   * The read models for queries. Until a new version of a read model is complete, queries use the previous
   * version.
   */
  readonly documents: Documents;
  /** The read models for projections. A call reads or writes exactly the version that the caller passes. */
  readonly projectionDocuments: Documents;
  readonly leases: Leases;
  readonly counters: RateLimitCounters;
  readonly keys: MongoKeys;
  /** Wraps every key with the current key-encryption key. A repeated call continues an interrupted one. */
  reencryptKeys(options: ReencryptOptions): Promise<ReencryptResult>;
  readonly work: WorkQueue;
  readonly blobs: Blobs;
  /** Returns a table of write-once records, for example the charges of the simulated gateway. */
  records<T extends object>(name: string): RecordTable<T>;
  /** Marks this version of a read model as complete, so that queries use it. The replaced version is dropped later. */
  putInService(collection: Collection): Promise<void>;
  /** Returns the second fills of these projections. */
  fillsOf(projections: readonly Projection[], stored: StoredWithFills): Fills;
  /** Returns the stored checkpoints of these names. */
  checkpoints(names: readonly string[]): Promise<readonly Checkpoint[]>;
  /**
   * Returns the state of versions of read models by the names of their checkpoints. `owner` is the process that holds the lease under
   * which the version was last written, or null.
   */
  versionStates(collections: readonly Collection[]): Promise<ReadonlyMap<string, VersionState>>;
  /** Deletes a reader's checkpoint, so that the reader starts from the first event. */
  deleteCheckpoint(name: string): Promise<void>;
  /** Resolves when the database responds. Rejects with StoreUnavailable if it is unreachable. */
  ping(): Promise<void>;
  /** Returns the current state of the connection pool. */
  pool(): PoolState;
  close(): Promise<void>;
};

const encryptionKeysOf = ({ keyEncryptionKey: current, previousKeyEncryptionKey: previous }: MongoOptions): KeyEncryptionKeys => ({
  ...(current && { current }),
  ...(previous && { previous }),
});

/** The collections that `openMongo` passes to adapters. Keys, blobs, documents and records are in other collections. */
const collectionsIn = (database: Db) => ({
  readers: database.collection<ReaderRecord>('readers'),
  leases: database.collection<LeaseRecord>('leases'),
  counts: database.collection<CountRecord>('rate_limit_counts'),
  works: database.collection<WorkRecord>('work'),
});

const readCheckpoints = async (readers: MongoCollection<ReaderRecord>, names: readonly string[]): Promise<readonly Checkpoint[]> => {
  const records = await readers.find({ _id: { $in: [...names] } }, { projection: { position: 1, event: 1 } }).toArray();
  return records.map(({ _id: name, position, event }) => ({ name, position, ...(event && { event }) }));
};

/** How far a version of a read model is, whether queries read it, and who writes it. */
type VersionState = { readonly position: number; readonly isInService: boolean; readonly owner: string | null };

const readVersionStates = async (
  readers: MongoCollection<ReaderRecord>,
  leases: MongoCollection<LeaseRecord>,
  collections: readonly Collection[],
): Promise<ReadonlyMap<string, VersionState>> => {
  const records = await readers.find({ _id: { $in: collections.map(checkpointOf) } }).toArray();
  const names = records.flatMap(({ lease }) => lease ?? []);
  const held = await leases.find({ _id: { $in: names }, $expr: { $gt: ['$until', '$$NOW'] } }).toArray();
  const owners = new Map(held.map(({ _id, holder }) => [_id, holder]));
  return new Map(
    records.map(({ _id, position, inService = false, lease = '' }) => [
      _id,
      { position, isInService: inService, owner: owners.get(lease) ?? null },
    ]),
  );
};

/** Opens what the read models need. `close` ends what they do in the background. */
const openReadModels = (client: MongoClient, database: Db, appName: string, options: MongoOptions) => {
  const { url, clock, log, keepReplacedMilliseconds = KEEP_REPLACED_MILLISECONDS } = options;
  const { readers, leases } = collectionsIn(database);
  const versions = new Versions(readers, clock);
  const hints = new Hints(() => versions.revision());
  const lifecycle = new VersionLifecycle({ client, database, readers, leases, versions, clock, log, keepReplacedMilliseconds });
  const searches = new SearchThread({
    data: { url, appName: `${appName} searches`, databaseName: database.databaseName },
    ...{ log, clock },
    onTold(changes) {
      indexed.onChanges(changes);
      if (changes.position !== null) versions.observeReached({ _id: changes.version }, changes.position);
    },
  });
  const indexed = new IndexedReads(searches.searches);
  const readDependencies = { reads: new DocumentReads(), totals: new CachedTotals(), indexed };
  const close = async (): Promise<void> => {
    lifecycle.close();
    versions.close();
    await searches.close();
  };
  return { dependencies: { client, database, readers, leases, versions, lifecycle, hints, ...readDependencies }, close };
};

/**
 * Connects to MongoDB and opens all adapters. Rejects with StoreUnavailable if MongoDB is unreachable, and
 * with WrongWrappingKey if the key-encryption key is not the one that wraps the stored keys.
 */
export const openMongo = async (options: MongoOptions): Promise<Mongo> => {
  const { url, clock, log } = options;
  const databaseName = databaseIn(url, options.namespace);
  const { appName = databaseName } = options;
  const client = clientOf(url, appName);
  const pool = watchPool(client);
  const database = client.db(databaseName);
  const { readers, leases, counts, works } = collectionsIn(database);
  const { dependencies, close: closeReadModels } = openReadModels(client, database, appName, options);
  const { lifecycle } = dependencies;
  const ping = (): Promise<void> => withPortErrors(async () => void (await database.command({ ping: 1 })));
  const close = async (): Promise<void> => {
    await closeReadModels();
    await client.close();
  };
  try {
    await ping();
    await withPortErrors(() => Promise.all([prepareCounts(counts), prepareWork(works), prepareBlobs(database)]));
    const seal = await withPortErrors(() => Seal.open(database, encryptionKeysOf(options)));
    return {
      documents: new MongoDocuments(dependencies, 'reader'),
      projectionDocuments: new MongoDocuments(dependencies, 'builder'),
      leases: new MongoLeases(leases, () => endAbandonedTransactions(client, appName, log)),
      counters: new MongoRateLimitCounters(counts, clock, options.maxBuckets ?? MAX_BUCKETS),
      keys: openKeyVault(database, clock, seal),
      reencryptKeys: (how) => withPortErrors(() => reencryptKeys(database, seal, how)),
      ...{ work: new MongoWorkQueue(works), blobs: new GridFsBlobs(database) },
      records: (name) => recordTable(database, name),
      putInService: (collection) => withPortErrors(() => lifecycle.putInService(collection)),
      checkpoints: (names) => withPortErrors(() => readCheckpoints(readers, names)),
      fillsOf: (projections, stored) => new MongoFills({ ...dependencies, clock }, projections, stored),
      versionStates: (collections) => withPortErrors(() => readVersionStates(readers, leases, collections)),
      deleteCheckpoint: (name) => withPortErrors(async () => void (await readers.deleteOne({ _id: name }))),
      ...{ ping, pool, close },
    };
  } catch (error) {
    await close();
    throw error;
  }
};
