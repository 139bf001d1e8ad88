import { randomUUID } from 'node:crypto';
import type { AnyBulkWriteOperation, Collection as MongoCollection } from 'mongodb';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { RateLimitCounters } from '../../ports/rate-limit-counters.port.js';
import { withPortErrors, isDuplicate } from './connection/failures.js';

/** The request counts of a bucket (a caller) in one window, by process. `_id` is the window's end, then the bucket's name. */
export type CountRecord = { readonly _id: string; readonly ends: Date; readonly by: Readonly<Record<string, number>> };

/** Seconds from the end of a window until the database deletes its counts. */
const EXPIRE_AFTER_SECONDS = 60;
/** How long the number of stored records is cached. */
const SIZE_CACHE_MILLISECONDS = 1_000;
/** The name of the bucket that new callers share when the maximum number of buckets is reached. No other name is empty. */
const SHARED_BUCKET = '';

/** Writes need not be durable, because a server that fails loses only the counts of the current window. */
const FAST_WRITE = { ordered: false, writeConcern: { w: 1, journal: false } } as const;
const LOCAL_READ = { readConcern: { level: 'local' } } as const;

/** Creates the index that makes the database delete old counts. */
export const prepareCounts = async (counts: MongoCollection<CountRecord>): Promise<void> => {
  await counts.createIndex({ ends: 1 }, { name: 'over', expireAfterSeconds: EXPIRE_AFTER_SECONDS });
};

type Counts = ReadonlyMap<string, number>;

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

/**
 * Rate limit counts that all processes share. The record of a bucket has the total of each process. So a repeated call of
 * `exchange`, for example after a lost response, counts no request twice. When the maximum number of buckets is reached, new
 * callers share one bucket (contract 11.2).
 */
export class MongoRateLimitCounters implements RateLimitCounters {
  /** The name of this process in the records. */
  private readonly self = randomUUID().replaceAll('-', '');
  /** The number of stored records, and when it was read. */
  private stored = { buckets: 0, at: -Infinity };
  /** This process's counts in this window, for each caller that uses the shared bucket. */
  private newcomers = { windowEnd: 0, counts: new Map<string, number>() };

  constructor(
    private readonly counts: MongoCollection<CountRecord>,
    private readonly clock: Clock,
    private readonly maxBuckets: number,
  ) {}

  exchange(windowEnd: Date, counts: Counts): Promise<Counts> {
    return withPortErrors(async () => {
      const idOf = (bucket: string): string => `${windowEnd.toISOString()} ${bucket}`;
      const newcomers = (await this.isFull()) ? await this.bucketsWithoutRoom(idOf, counts) : [];
      const shared = this.sharedCounts(newcomers, windowEnd, counts);
      const stored = new Map([...counts].filter(([bucket]) => !shared.has(bucket)));
      if (shared.size > 0) stored.set(SHARED_BUCKET, sum(shared.values()));
      await this.store([...stored].map(([bucket, count]) => this.writeOf(idOf(bucket), windowEnd, count)));
      const others = await this.othersIn([...stored.keys()].map(idOf));
      // The count that a caller in the shared bucket gets includes the bucket's other callers, also those of this process.
      const sharedTotal = sum(shared.values()) + (others.get(idOf(SHARED_BUCKET)) ?? 0);
      return new Map(
        [...counts].map(([bucket, count]) => [bucket, shared.has(bucket) ? sharedTotal - count : (others.get(idOf(bucket)) ?? 0)]),
      );
    });
  }

  private writeOf(_id: string, ends: Date, count: number): AnyBulkWriteOperation<CountRecord> {
    return { updateOne: { filter: { _id }, update: { $max: { [`by.${this.self}`]: count }, $setOnInsert: { ends } }, upsert: true } };
  }

  /** Two processes may insert a record at the same time. The process whose insert fails retries and finds the record. */
  private async store(writes: AnyBulkWriteOperation<CountRecord>[]): Promise<void> {
    for (;;) {
      try {
        await this.counts.bulkWrite(writes, FAST_WRITE);
        return;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    }
  }

  /** Returns the sum of the other processes' counts for each record. */
  private async othersIn(ids: readonly string[]): Promise<Counts> {
    const stored = await this.counts.find({ _id: { $in: ids } }, { projection: { by: 1 }, ...LOCAL_READ }).toArray();
    return new Map(stored.map(({ _id, by }) => [_id, sum(Object.entries(by).map(([name, count]) => (name === this.self ? 0 : count)))]));
  }

  /** Returns the buckets that have no record yet. Their callers use the shared bucket. */
  private async bucketsWithoutRoom(idOf: (bucket: string) => string, counts: Counts): Promise<readonly string[]> {
    const buckets = [...counts.keys()];
    const found = await this.counts.find({ _id: { $in: buckets.map(idOf) } }, { projection: { _id: 1 }, ...LOCAL_READ }).toArray();
    const existing = new Set(found.map(({ _id }) => _id));
    return buckets.filter((bucket) => !existing.has(idOf(bucket)));
  }

  /**
   * Adds the counts of `newcomers` to the shared bucket. Returns this process's counts in the shared bucket of this window.
   * Returns an empty map if `newcomers` is empty.
   */
  private sharedCounts(newcomers: readonly string[], windowEnd: Date, counts: Counts): Counts {
    if (this.newcomers.windowEnd !== windowEnd.getTime()) this.newcomers = { windowEnd: windowEnd.getTime(), counts: new Map() };
    for (const bucket of newcomers) this.newcomers.counts.set(bucket, counts.get(bucket) ?? 0);
    return newcomers.length > 0 ? this.newcomers.counts : new Map();
  }

  private async isFull(): Promise<boolean> {
    const now = this.clock.elapsed();
    if (now - this.stored.at >= SIZE_CACHE_MILLISECONDS) {
      // Concurrent calls use the previous number while this call reads the new one.
      this.stored = { ...this.stored, at: now };
      this.stored = { buckets: await this.counts.estimatedDocumentCount(), at: now };
    }
    return this.stored.buckets >= this.maxBuckets;
  }
}
