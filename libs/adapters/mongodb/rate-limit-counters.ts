import { randomUUID } from 'node:crypto';
import type { AnyBulkWriteOperation, Collection as MongoCollection } from 'mongodb';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { RateLimitCounters } from '../../ports/rate-limit-counters.port.js';
import { isBelieved } from './belief.js';
import { answering, isDuplicate } from './connection/failures.js';

/** A bucket's counts in one window, by process. */
export type KeptCount = { readonly _id: string; readonly ends: Date; readonly by: Readonly<Record<string, number>> };

/** Counts of windows that are over are deleted by the database this much later. */
const KEPT_SECONDS = 60;
/** How long the number of stored counts is cached. */
const COUNTED_MILLISECONDS = 1_000;
/** The bucket of all who come when there is no more room: no caller's bucket has an empty name. */
const EVERYONE_ELSE = '';

/** Quick rather than durable: what a lost server forgets is a minute's count. */
const QUICK = { ordered: false, writeConcern: { w: 1, journal: false } } as const;
const LATEST = { readConcern: { level: 'local' } } as const;

/** Makes the index by which counts of old windows are deleted. */
export const prepareCounts = async (counts: MongoCollection<KeptCount>): Promise<void> => {
  await counts.createIndex({ ends: 1 }, { name: 'over', expireAfterSeconds: KEPT_SECONDS });
};

type Counts = ReadonlyMap<string, number>;

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

/**
 * Counts that all processes share. Each process has a count of its own in a bucket's document, so an exchange whose answer was lost is
 * simply repeated. "The number of buckets is capped": beyond it new ones share one.
 */
export class MongoRateLimitCounters implements RateLimitCounters {
  /** The name of this process in the documents. */
  private readonly self = randomUUID().replaceAll('-', '');
  private stored = { buckets: 0, at: -Infinity };
  /** The counts of those who came in this window when there was no more room. */
  private newcomers = { windowEnd: 0, counts: new Map<string, number>() };

  constructor(
    private readonly counts: MongoCollection<KeptCount>,
    private readonly clock: Clock,
    private readonly mostBuckets: number,
  ) {}

  exchange(windowEnd: Date, counts: Counts): Promise<Counts> {
    return answering(async () => {
      const idOf = (bucket: string): string => `${windowEnd.toISOString()} ${bucket}`;
      const newcomers = (await this.isFull()) ? await this.withoutRoom(idOf, counts) : [];
      const shared = this.sharedBy(newcomers, windowEnd, counts);
      const stored = new Map([...counts].filter(([bucket]) => !shared.has(bucket)));
      if (shared.size > 0) stored.set(EVERYONE_ELSE, sum(shared.values()));
      await this.store([...stored].map(([bucket, count]) => this.writeOf(idOf(bucket), windowEnd, count)));
      const others = await this.othersIn([...stored.keys()].map(idOf));
      const everyoneElse = sum(shared.values()) + (others.get(idOf(EVERYONE_ELSE)) ?? 0);
      return new Map(
        [...counts].map(([bucket, count]) => [bucket, shared.has(bucket) ? everyoneElse - count : (others.get(idOf(bucket)) ?? 0)]),
      );
    });
  }

  private writeOf(_id: string, ends: Date, count: number): AnyBulkWriteOperation<KeptCount> {
    return { updateOne: { filter: { _id }, update: { $max: { [`by.${this.self}`]: count }, $setOnInsert: { ends } }, upsert: true } };
  }

  /** Two processes that make one document at once: the second finds the first's. */
  private async store(writes: AnyBulkWriteOperation<KeptCount>[]): Promise<void> {
    for (;;) {
      try {
        await this.counts.bulkWrite(writes, QUICK);
        return;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    }
  }

  private async othersIn(ids: readonly string[]): Promise<Counts> {
    const stored = await this.counts.find({ _id: { $in: ids } }, { projection: { by: 1 }, ...LATEST }).toArray();
    return new Map(stored.map(({ _id, by }) => [_id, sum(Object.entries(by).map(([name, count]) => (name === this.self ? 0 : count)))]));
  }

  private async withoutRoom(idOf: (bucket: string) => string, counts: Counts): Promise<readonly string[]> {
    const asked = [...counts.keys()];
    const found = await this.counts.find({ _id: { $in: asked.map(idOf) } }, { projection: { _id: 1 }, ...LATEST }).toArray();
    const known = new Set(found.map(({ _id }) => _id));
    return asked.filter((bucket) => !known.has(idOf(bucket)));
  }

  /** The counts of all who share a bucket in this window; empty where none of them is in this exchange. */
  private sharedBy(newcomers: readonly string[], windowEnd: Date, counts: Counts): Counts {
    if (this.newcomers.windowEnd !== windowEnd.getTime()) this.newcomers = { windowEnd: windowEnd.getTime(), counts: new Map() };
    for (const bucket of newcomers) this.newcomers.counts.set(bucket, counts.get(bucket) ?? 0);
    return newcomers.length > 0 ? this.newcomers.counts : new Map();
  }

  private async isFull(): Promise<boolean> {
    const now = this.clock.now().getTime();
    if (!isBelieved(this.stored.at, now, COUNTED_MILLISECONDS)) {
      this.stored = { ...this.stored, at: now };
      this.stored = { buckets: await this.counts.estimatedDocumentCount(), at: now };
    }
    return this.stored.buckets >= this.mostBuckets;
  }
}
