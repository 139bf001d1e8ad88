import type { Collection as MongoCollection } from 'mongodb';
import { DONE_MILLISECONDS, isLaneOf, type ClaimedWork, type Work, type WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { withPortErrors, isDuplicate } from './connection/failures.js';

/**
 * A piece of work in MongoDB, such as a webhook delivery. Before a process does the work, it claims the work for a limited
 * time.
 */
export type WorkRecord = {
  readonly _id: { readonly queue: string; readonly id: string };
  readonly queue: string;
  /** The receiver of the work. A claim can exclude work for busy receivers. */
  readonly lane: string;
  readonly data: string;
  readonly attempt: number;
  /**
   * When the work may be claimed, by the clock of the database: its due time, or the end of the current
   * claim. Absent for done work.
   */
  readonly next?: Date;
  /** Milliseconds between the last change of `next` and `next`. Absent for work of an earlier release. */
  readonly wait?: number;
  /** Absent for work of an earlier release. */
  readonly retries?: number;
  readonly done?: Date;
};

/** Creates the indexes that find work, and an index that makes the database delete done work. */
export const prepareWork = async (works: MongoCollection<WorkRecord>): Promise<void> => {
  await works.createIndex({ queue: 1, next: 1, lane: 1 }, { name: 'due by lane' });
  // This index has all fields that `firstOfLanes` needs, so MongoDB reads only the first index entry of each lane.
  await works.createIndex({ queue: 1, lane: 1, next: 1, _id: 1 }, { name: 'by lane' });
  await works.createIndex({ done: 1 }, { name: 'done', expireAfterSeconds: DONE_MILLISECONDS / 1_000 });
};

/** Sets when work may be claimed, from now by the clock of the database. */
const dueAfter = (milliseconds: number): { next: object; wait: number } => ({
  next: { $add: ['$$NOW', Math.round(milliseconds)] },
  wait: Math.round(milliseconds),
});

/** The number of retries. Work of an earlier release counts a retry for each claim, which is at least the number of its retries. */
const RETRIES = { $ifNull: ['$retries', '$attempt'] } as const;

/** Matches due work. Done work has no `next`. Without the type check, done work would match and be sorted first. */
const DUE = { next: { $type: 'date' }, $expr: { $lte: ['$next', '$$NOW'] } } as const;

/** Matches work that no later claim has taken (`attempt`) and that is not done (`next`). */
const stillClaimed = ({ queue, id, attempt }: ClaimedWork): { _id: WorkRecord['_id']; attempt: number; next: { $type: 'date' } } => ({
  _id: { queue, id },
  attempt,
  next: { $type: 'date' },
});

/**
 * Maximum number of due records that a claim scans. If all scanned records are in excluded lanes, the claim runs a slower
 * query by lane.
 */
const SCAN_LIMIT = 100;

type InLane = Pick<WorkRecord, '_id' | 'lane'>;

const claimedFrom = ({ _id, lane, data, attempt, retries }: WorkRecord): ClaimedWork => ({
  queue: _id.queue,
  id: _id.id,
  lane,
  data,
  attempt,
  retries: retries ?? attempt,
});

/** The work queue in MongoDB. A claim sets `next` to the time when the claim ends. */
export class MongoWorkQueue implements WorkQueue {
  constructor(private readonly works: MongoCollection<WorkRecord>) {}

  enqueue({ queue, id, lane, data }: Work, milliseconds = 0): Promise<boolean> {
    return withPortErrors(async () => {
      const texts = { queue: { $literal: queue }, lane: { $literal: lane }, data: { $literal: data } };
      const added = { _id: '$_id', ...texts, attempt: { $literal: 0 }, retries: { $literal: 0 }, ...dueAfter(milliseconds) };
      // Only an update can use the clock of the database. It changes nothing if the work exists.
      const addIfMissing = [{ $replaceWith: { $cond: [{ $eq: [{ $type: '$queue' }, 'missing'] }, added, '$$ROOT'] } }];
      try {
        return (await this.works.updateOne({ _id: { queue, id } }, addIfMissing, { upsert: true })).upsertedCount === 1;
      } catch (error) {
        // Another process has added the work at the same time.
        if (isDuplicate(error)) return false;
        throw error;
      }
    });
  }

  claim(queue: string, milliseconds: number, except: readonly string[] = []): Promise<ClaimedWork | null> {
    return withPortErrors(async () => {
      const work = await this.claimNext(queue, milliseconds, except);
      return work && claimedFrom(work);
    });
  }

  extend(work: ClaimedWork, milliseconds: number): Promise<boolean> {
    return this.update(work, dueAfter(milliseconds));
  }

  complete(work: ClaimedWork): Promise<boolean> {
    return this.update(work, { done: '$$NOW', next: '$$REMOVE' });
  }

  retryAfter(work: ClaimedWork, milliseconds: number): Promise<boolean> {
    return this.update(work, { ...dueAfter(milliseconds), retries: { $add: [RETRIES, 1] } });
  }

  async shortenWaits(queue: string): Promise<void> {
    // The first condition finds the waiting work in an index.
    const waitsTooLong = { $and: [{ $gt: ['$next', '$$NOW'] }, { $gt: [{ $subtract: ['$next', '$wait'] }, '$$NOW'] }] };
    const waiting = { queue, next: { $type: 'date' }, wait: { $exists: true }, $expr: waitsTooLong } as const;
    await withPortErrors(() => this.works.updateMany(waiting, [{ $set: { next: { $add: ['$$NOW', '$wait'] } } }]));
  }

  waiting(queue: string, limit: number): Promise<readonly ClaimedWork[]> {
    return withPortErrors(async () => {
      const works = this.works
        .find({ queue, next: { $type: 'date' } })
        .sort({ next: 1 })
        .limit(limit);
      return (await works.toArray()).map(claimedFrom);
    });
  }

  private async claimNext(queue: string, milliseconds: number, except: readonly string[]): Promise<WorkRecord | null> {
    if (except.length === 0) return this.claimFirst({ queue }, milliseconds);
    for (;;) {
      const found = await this.findDue(queue, except);
      for (const { _id } of found) {
        const work = await this.claimFirst({ _id }, milliseconds);
        if (work) return work;
      }
      // If work was found, other processes have claimed all of it, and the next round searches for more work.
      if (found.length === 0) return null;
    }
  }

  /**
   * Claims and returns the matching work that has been due the longest. Returns null if no matching work is due, for example
   * because another process has claimed it.
   */
  private claimFirst(which: { readonly queue: string } | Pick<WorkRecord, '_id'>, milliseconds: number): Promise<WorkRecord | null> {
    const claim = [{ $set: { ...dueAfter(milliseconds), attempt: { $add: ['$attempt', 1] } } }];
    return this.works.findOneAndUpdate({ ...which, ...DUE }, claim, { sort: { next: 1 }, returnDocument: 'after' });
  }

  private async findDue(queue: string, except: readonly string[]): Promise<readonly InLane[]> {
    const earliest = this.works
      .find({ queue, ...DUE }, { projection: { lane: 1 } })
      .sort({ next: 1 })
      .limit(SCAN_LIMIT);
    const scanned = await earliest.toArray();
    const found = scanned.filter(({ lane }) => !isLaneOf(lane, except));
    return found.length > 0 || scanned.length < SCAN_LIMIT ? found : this.firstOfLanes(queue, except);
  }

  /** Returns the first due work of each lane that is not in `except`, the longest due first. */
  private async firstOfLanes(queue: string, except: readonly string[]): Promise<readonly InLane[]> {
    const heads = this.works.aggregate<InLane>([
      { $match: { queue, next: { $type: 'date' } } },
      { $sort: { queue: 1, lane: 1, next: 1 } },
      { $group: { _id: '$lane', next: { $first: '$next' }, work: { $first: '$_id' } } },
      { $match: { $expr: { $lte: ['$next', '$$NOW'] } } },
      { $sort: { next: 1 } },
      { $project: { _id: '$work', lane: '$_id' } },
    ]);
    return (await heads.toArray()).filter(({ lane }) => !isLaneOf(lane, except));
  }

  /** Updates work unless it is done or was claimed again. Returns whether it was updated. */
  private update(work: ClaimedWork, set: object): Promise<boolean> {
    return withPortErrors(async () => (await this.works.updateOne(stillClaimed(work), [{ $set: set }])).matchedCount === 1);
  }
}
