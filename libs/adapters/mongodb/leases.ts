import type { Collection as MongoCollection, Document } from 'mongodb';
import type { Lease, Leases } from '../../eventsourcing/ports/leases.port.js';
import { withPortErrors, isDuplicate } from './connection/failures.js';

/**
 * A lease in MongoDB. The record is never deleted, because `fence` must increase with every change of the owner.
 */
export type LeaseRecord = {
  readonly _id: string;
  /** The process that owns the lease, or null if the lease is free. */
  readonly holder: string | null;
  /** The fencing token. Writes with the token of an earlier owner are rejected. */
  readonly fence: number;
  /** The expiry by the clock of the database, or null if the lease is free. */
  readonly until: Date | null;
  /** Every transaction under the lease increments this number, so that it conflicts with a concurrent change of the owner. */
  readonly uses?: number;
};

/**
 * An expression that is true while a process owns the lease. It uses the clock of the database, because the
 * clocks of the processes may differ. A lease without an expiry is free.
 */
const IS_OWNED: Document = { $gt: ['$until', '$$NOW'] };

const fromNow = (milliseconds: number): Document => ({ $add: ['$$NOW', milliseconds] });

/**
 * Returns an update that gives a free or expired lease to `owner`, with the next fence. If `owner` already owns the lease,
 * the update only extends it. If another process owns the lease, the update changes nothing. Without
 * `$literal`, MongoDB would read an owner's name that begins with `$` as an expression.
 */
const acquireUpdate = (owner: string, milliseconds: number): Document[] => {
  const mine = { $eq: ['$holder', { $literal: owner }] };
  const whenOwned = (owned: unknown, free: unknown): Document => ({ $cond: [IS_OWNED, owned, free] });
  return [
    {
      $set: {
        holder: whenOwned('$holder', { $literal: owner }),
        fence: whenOwned('$fence', { $add: [{ $ifNull: ['$fence', 0] }, 1] }),
        until: whenOwned({ $cond: [mine, fromNow(milliseconds), '$until'] }, fromNow(milliseconds)),
      },
    },
  ];
};

/**
 * Time limit in milliseconds for acquiring a lease. Without the limit, the write would wait while an abandoned transaction
 * locks the record.
 */
const MAX_BLOCKED_MILLISECONDS = 2_000;

/** Leases in MongoDB. Each change is one atomic update. */
export class MongoLeases implements Leases {
  constructor(
    private readonly leases: MongoCollection<LeaseRecord>,
    /** Ends the open transactions of dead processes. Such transactions block writes to the documents that they changed. */
    private readonly endAbandoned: () => Promise<void>,
  ) {}

  acquire(name: string, owner: string, milliseconds: number): Promise<Lease | null> {
    return withPortErrors(async () => {
      const expired = { _id: name, holder: { $nin: [null, owner] }, $expr: { $not: IS_OWNED } };
      // The previous owner let the lease expire: its process died or hangs, perhaps in a transaction.
      if (await this.leases.findOne(expired)) await this.endAbandoned();
      const record = await this.upsert(name, owner, milliseconds);
      return record?.holder === owner ? { name, owner, fence: record.fence } : null;
    });
  }

  extend({ name, owner, fence }: Lease, milliseconds: number): Promise<boolean> {
    return withPortErrors(async () => {
      const owned = { _id: name, holder: owner, fence, $expr: IS_OWNED };
      return (await this.leases.updateOne(owned, [{ $set: { until: fromNow(milliseconds) } }])).matchedCount === 1;
    });
  }

  release({ name, owner, fence }: Lease): Promise<void> {
    return withPortErrors(async () => {
      await this.leases.updateOne({ _id: name, holder: owner, fence }, { $set: { holder: null, until: null } });
    });
  }

  /**
   * Two processes may insert the record of a lease at the same time. The process whose insert fails retries and finds the
   * record.
   */
  private async upsert(name: string, owner: string, milliseconds: number): Promise<LeaseRecord | null> {
    for (;;) {
      try {
        const update = acquireUpdate(owner, milliseconds);
        const options = { upsert: true, returnDocument: 'after', maxTimeMS: MAX_BLOCKED_MILLISECONDS } as const;
        return await this.leases.findOneAndUpdate({ _id: name }, update, options);
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    }
  }
}
