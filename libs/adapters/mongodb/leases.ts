import type { Collection as MongoCollection, Document } from 'mongodb';
import type { Lease, Leases } from '../../eventsourcing/ports/leases.port.js';
import { answering, isDuplicate } from './connection/failures.js';

/** A lease as MongoDB keeps it. Its record is never deleted: "its fence grows whenever it changes hands". */
export type KeptLease = {
  readonly _id: string;
  /** Null when nobody holds it. */
  readonly holder: string | null;
  readonly fence: number;
  /** By the database's clock; null when nobody holds it. */
  readonly until: Date | null;
  /** Grows with every transaction that is written under the lease. */
  readonly uses?: number;
};

/** By the database's clock, whatever the processes' clocks say. What has no end is over. */
const IS_HELD: Document = { $gt: ['$until', '$$NOW'] };

const fromNow = (milliseconds: number): Document => ({ $add: ['$$NOW', milliseconds] });

const taking = (holder: string, milliseconds: number): Document[] => {
  const mine = { $eq: ['$holder', { $literal: holder }] };
  const whenHeld = (held: unknown, free: unknown): Document => ({ $cond: [IS_HELD, held, free] });
  return [
    {
      $set: {
        holder: whenHeld('$holder', { $literal: holder }),
        fence: whenHeld('$fence', { $add: [{ $ifNull: ['$fence', 0] }, 1] }),
        until: whenHeld({ $cond: [mine, fromNow(milliseconds), '$until'] }, fromNow(milliseconds)),
      },
    },
  ];
};

/** What was left open may go on to block for this long, in milliseconds, before who asks is told to ask again. */
const PATIENCE = 2_000;

/** Leases as records that are changed where they are, each change one step of the database. */
export class MongoLeases implements Leases {
  constructor(
    private readonly leases: MongoCollection<KeptLease>,
    /** Ends what processes that are gone have begun to write: until then nobody else can write there. */
    private readonly endLeftOpen: () => Promise<void>,
  ) {}

  acquire(name: string, holder: string, milliseconds: number): Promise<Lease | null> {
    return answering(async () => {
      const lapsed = { _id: name, holder: { $nin: [null, holder] }, $expr: { $not: IS_HELD } };
      // Its holder did not let go of it: it died, or stands still, and may have done so in the middle of a transaction.
      if (await this.leases.findOne(lapsed)) await this.endLeftOpen();
      const kept = await this.take(name, holder, milliseconds);
      return kept?.holder === holder ? { name, holder, fence: kept.fence } : null;
    });
  }

  extend({ name, holder, fence }: Lease, milliseconds: number): Promise<boolean> {
    return answering(async () => {
      const still = { _id: name, holder, fence, $expr: IS_HELD };
      return (await this.leases.updateOne(still, [{ $set: { until: fromNow(milliseconds) } }])).matchedCount === 1;
    });
  }

  release({ name, holder, fence }: Lease): Promise<void> {
    return answering(async () => {
      await this.leases.updateOne({ _id: name, holder, fence }, { $set: { holder: null, until: null } });
    });
  }

  /** Two that make the first record at once: one of them finds the other's. */
  private async take(name: string, holder: string, milliseconds: number): Promise<KeptLease | null> {
    for (;;) {
      try {
        const asked = taking(holder, milliseconds);
        const options = { upsert: true, returnDocument: 'after', maxTimeMS: PATIENCE } as const;
        return await this.leases.findOneAndUpdate({ _id: name }, asked, options);
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    }
  }
}
