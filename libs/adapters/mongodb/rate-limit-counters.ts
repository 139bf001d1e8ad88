import type { Collection as MongoCollection } from 'mongodb';
import type { Clock } from '../../eventsourcing/clock.port.js';
import type { RateLimitCounters } from '../../eventsourcing/rate-limit-counters.port.js';
import { isBelieved } from './belief.js';
import { answering, isDuplicate } from './failures.js';

/** A bucket's count in one window. */
export type KeptCount = { readonly _id: string; readonly count: number; readonly ends: Date };

/** Counts of windows that are over go, this much later, by themselves. */
const KEPT_SECONDS = 60;
/** How long what was counted of the counts is believed. */
const BELIEVED_MILLISECONDS = 1_000;
/** Where all are counted together who come when there is no more room: no bucket's name is empty. */
const EVERYONE_ELSE = '';

/** Quick rather than durable: what a lost server forgets is a minute's count. */
const QUICK = { writeConcern: { w: 1, journal: false } } as const;

/** Makes the index by which counts of old windows go. */
export const prepareCounts = async (counts: MongoCollection<KeptCount>): Promise<void> => {
  await counts.createIndex({ ends: 1 }, { name: 'over', expireAfterSeconds: KEPT_SECONDS });
};

/** Counts that all processes add to. "The number of buckets is capped": beyond it new ones share one. */
export class MongoRateLimitCounters implements RateLimitCounters {
  private counted = { buckets: 0, at: -Infinity };

  constructor(
    private readonly counts: MongoCollection<KeptCount>,
    private readonly clock: Clock,
    private readonly mostBuckets: number,
  ) {}

  add(bucket: string, windowEnd: Date): Promise<number> {
    return answering(async () => {
      const known = (await this.isFull()) ? await this.increment(bucket, windowEnd, false) : null;
      if (known !== null) return known;
      const counted = await this.increment(this.counted.buckets >= this.mostBuckets ? EVERYONE_ELSE : bucket, windowEnd, true);
      return counted ?? 0;
    });
  }

  /** Null when there is no such count and none is to be made. */
  private async increment(bucket: string, ends: Date, upsert: boolean): Promise<number | null> {
    const _id = `${ends.toISOString()} ${bucket}`;
    for (;;) {
      try {
        const change = { $inc: { count: 1 }, $setOnInsert: { ends } };
        const kept = await this.counts.findOneAndUpdate({ _id }, change, { upsert, returnDocument: 'after', ...QUICK });
        return kept?.count ?? null;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    }
  }

  private async isFull(): Promise<boolean> {
    const now = this.clock.now().getTime();
    if (!isBelieved(this.counted.at, now, BELIEVED_MILLISECONDS)) {
      this.counted = { ...this.counted, at: now };
      this.counted = { buckets: await this.counts.estimatedDocumentCount(), at: now };
    }
    return this.counted.buckets >= this.mostBuckets;
  }
}
