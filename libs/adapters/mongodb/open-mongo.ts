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
import { RememberedTotals } from './documents/queries/remembered-totals.js';
import { VersionKeeping } from './documents/versions/version-keeping.js';
import { Versions } from './documents/versions/versions.js';
import { answering } from './connection/failures.js';
import { openKeyVault } from './keys/key-vault.js';
import { MongoLeases, type KeptLease } from './leases.js';
import { endLeftOpen } from './connection/left-open.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';
import { MongoRateLimitCounters, prepareCounts, type KeptCount } from './rate-limit-counters.js';
import { recordTable, type RecordTable } from './record-table.js';
import { MongoWorkQueue, prepareWork, type KeptWork } from './work-queue.js';

/** Of the rate limit's counts: some megabytes. */
const MOST_BUCKETS = 100_000;
/** Longer than a release takes to replace the processes of the one before. */
const KEEP_REPLACED_MILLISECONDS = 15 * 60 * 1000;

export type MongoOptions = {
  /** `mongodb://…`: a replica set, since transactions need one. */
  readonly url: string;
  /** The one that the url names unless told. */
  readonly database?: string;
  readonly clock: Clock;
  readonly log: Log;
  /** How the database's own logs call this process. */
  readonly appName?: string;
  /** How long what a newer version of a read model has replaced is kept for processes of an older release. */
  readonly keepReplacedMilliseconds?: number;
  /** 32 bytes that wrap the keys; without it anyone who can read the database has them. */
  readonly keyEncryptionKey?: Uint8Array;
  /** How many rate-limit counts there may be. */
  readonly mostBuckets?: number;
};

/** Everything that is kept in MongoDB. */
export type Mongo = {
  /** For queries: while a new version of a collection fills, the old one answers. */
  readonly documents: Documents;
  /** For projections: every version as it is. */
  readonly building: Documents;
  readonly leases: Leases;
  readonly counters: RateLimitCounters;
  readonly keys: KeyVault & KeyImport & KeyLookup;
  readonly work: WorkQueue;
  /** A table of facts that are written down once: what a simulated gateway charged. */
  records<T extends object>(name: string): RecordTable<T>;
  /** Says that a version has reached the end of the log: it is shown from now on, and what it replaces goes after a while. */
  putInService(collection: Collection): Promise<void>;
  /** Forgets how far a reader of the log has come: it begins anew. */
  forgetCheckpoint(name: string): Promise<void>;
  /** Resolves when the database answers; rejects with StoreUnavailable. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

/** What all processes share beside the read models, which have collections of their own. */
const collectionsIn = (database: Db) => ({
  readers: database.collection<ReaderRecord>('readers'),
  leases: database.collection<KeptLease>('leases'),
  counts: database.collection<KeptCount>('rate_limit_counts'),
  works: database.collection<KeptWork>('work'),
});

/**
 * Connects to MongoDB and opens all that is kept there. Rejects with StoreUnavailable when it cannot be reached, and with
 * WrongWrappingKey when its keys were wrapped otherwise.
 */
export const openMongo = async (options: MongoOptions): Promise<Mongo> => {
  const { url, clock, log, appName = 'petstore', keepReplacedMilliseconds = KEEP_REPLACED_MILLISECONDS } = options;
  const client = clientOf(url, appName);
  const database = client.db(options.database ?? databaseIn(url));
  const { readers, leases, counts, works } = collectionsIn(database);
  const versions = new Versions(readers, clock);
  const hints = new Hints(() => versions.revision());
  const keeping = new VersionKeeping({ client, database, readers, leases, versions, clock, log, keepReplacedMilliseconds });
  const parts = { client, database, readers, leases, versions, keeping, hints, reads: new DocumentReads(), totals: new RememberedTotals() };
  const ping = (): Promise<void> => answering(async () => void (await database.command({ ping: 1 })));
  const close = async (): Promise<void> => {
    keeping.close();
    versions.close();
    await client.close();
  };
  try {
    await ping();
    await answering(() => Promise.all([prepareCounts(counts), prepareWork(works)]));
    const keys = await openKeyVault(database, clock, options.keyEncryptionKey);
    return {
      documents: new MongoDocuments(parts, 'reader'),
      building: new MongoDocuments(parts, 'builder'),
      leases: new MongoLeases(leases, () => endLeftOpen(client, appName, log)),
      counters: new MongoRateLimitCounters(counts, clock, options.mostBuckets ?? MOST_BUCKETS),
      keys,
      work: new MongoWorkQueue(works),
      records: (name) => recordTable(database, name),
      putInService: (collection) => answering(() => keeping.putInService(collection)),
      forgetCheckpoint: (name) => answering(async () => void (await readers.deleteOne({ _id: name }))),
      ping,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
