import type { Db } from 'mongodb';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyImport, KeyLookup, KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { Leases } from '../../eventsourcing/ports/leases.port.js';
import type { RateLimitCounters } from '../../ports/rate-limit-counters.port.js';
import type { WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { clientOf, databaseIn } from './connection/connection.js';
import { DocumentReads } from './documents/document-reads.js';
import { Hints } from './documents/queries/hints.js';
import { MongoDocuments } from './documents/mongo-documents.js';
import type { ReaderRecord } from './documents/versions/reader-records.js';
import { CachedTotals } from './documents/queries/cached-totals.js';
import { VersionLifecycle } from './documents/versions/version-lifecycle.js';
import { Versions } from './documents/versions/versions.js';
import { withPortErrors } from './connection/failures.js';
import { openKeyVault } from './keys/key-vault.js';
import { MongoLeases, type LeaseRecord } from './leases.js';
import { endAbandonedTransactions } from './connection/abandoned-transactions.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';
import { MongoRateLimitCounters, prepareCounts, type CountRecord } from './rate-limit-counters.js';
import { recordTable, type RecordTable } from './record-table.js';
import { MongoWorkQueue, prepareWork, type WorkRecord } from './work-queue.js';

/** Maximum number of rate limit records: some megabytes. */
const MAX_BUCKETS = 100_000;
/**
 * How long a replaced version is kept: longer than a deployment takes to replace the processes of a release.
 */
const KEEP_REPLACED_MILLISECONDS = 15 * 60 * 1000;

export type MongoOptions = {
  /** The URL of a replica set, `mongodb://…`. Transactions need a replica set. */
  readonly url: string;
  /**
   * Separates the store from others on the same servers: it is appended to the name of the database. Default:
   * none.
   */
  readonly namespace?: string;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * The name of this store's processes in the log of the database. By this name they find each other's
   * abandoned transactions. Default: the name of the database.
   */
  readonly appName?: string;
  /** How long replaced read models are kept for processes of an older release. */
  readonly keepReplacedMilliseconds?: number;
  /** 32 bytes that wrap the keys. Without it, anyone with access to the database can read the keys. */
  readonly keyEncryptionKey?: Uint8Array;
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
  /** The read models for projections, which read and write exactly the version that they pass. */
  readonly projectionDocuments: Documents;
  readonly leases: Leases;
  readonly counters: RateLimitCounters;
  readonly keys: KeyVault & KeyImport & KeyLookup;
  readonly work: WorkQueue;
  /** Returns a table of write-once records, for example the charges of the simulated gateway. */
  records<T extends object>(name: string): RecordTable<T>;
  /** Marks a version as complete, so that queries use it. The replaced version is dropped later. */
  putInService(collection: Collection): Promise<void>;
  /** Deletes a reader's checkpoint, so that it starts from the beginning. */
  deleteCheckpoint(name: string): Promise<void>;
  /** Resolves when the database responds, and rejects with StoreUnavailable. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

/** The collections besides the read models. */
const collectionsIn = (database: Db) => ({
  readers: database.collection<ReaderRecord>('readers'),
  leases: database.collection<LeaseRecord>('leases'),
  counts: database.collection<CountRecord>('rate_limit_counts'),
  works: database.collection<WorkRecord>('work'),
});

/**
 * Connects to MongoDB and opens all adapters. Rejects with StoreUnavailable if MongoDB is unreachable, and
 * with WrongWrappingKey if the key-encryption key does not match.
 */
export const openMongo = async (options: MongoOptions): Promise<Mongo> => {
  const { url, clock, log, keepReplacedMilliseconds = KEEP_REPLACED_MILLISECONDS } = options;
  const databaseName = databaseIn(url, options.namespace);
  const { appName = databaseName } = options;
  const client = clientOf(url, appName);
  const database = client.db(databaseName);
  const { readers, leases, counts, works } = collectionsIn(database);
  const versions = new Versions(readers, clock);
  const hints = new Hints(() => versions.revision());
  const lifecycle = new VersionLifecycle({ client, database, readers, leases, versions, clock, log, keepReplacedMilliseconds });
  const parts = { client, database, readers, leases, versions, lifecycle, hints, reads: new DocumentReads(), totals: new CachedTotals() };
  const ping = (): Promise<void> => withPortErrors(async () => void (await database.command({ ping: 1 })));
  const close = async (): Promise<void> => {
    lifecycle.close();
    versions.close();
    await client.close();
  };
  try {
    await ping();
    await withPortErrors(() => Promise.all([prepareCounts(counts), prepareWork(works)]));
    const keys = await openKeyVault(database, clock, options.keyEncryptionKey);
    return {
      documents: new MongoDocuments(parts, 'reader'),
      projectionDocuments: new MongoDocuments(parts, 'builder'),
      leases: new MongoLeases(leases, () => endAbandonedTransactions(client, appName, log)),
      counters: new MongoRateLimitCounters(counts, clock, options.maxBuckets ?? MAX_BUCKETS),
      keys,
      work: new MongoWorkQueue(works),
      records: (name) => recordTable(database, name),
      putInService: (collection) => withPortErrors(() => lifecycle.putInService(collection)),
      deleteCheckpoint: (name) => withPortErrors(async () => void (await readers.deleteOne({ _id: name }))),
      ping,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
