import type { Collection as MongoCollection } from 'mongodb';
import { DONE_MILLISECONDS, isLaneOf, type ClaimedWork, type Work, type WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { withPortErrors, isDuplicate } from './connection/failures.js';

/** A piece of work in MongoDB. */
export type WorkRecord = {
  readonly _id: { readonly queue: string; readonly id: string };
  readonly queue: string;
  readonly lane: string;
  readonly data: string;
  readonly attempt: number;
  /**
   * When the work may be claimed, by the clock of the database: its due time, or the end of the current
   * claim. Absent for done work.
   */
  readonly next?: Date;
  readonly done?: Date;
};

/** Creates the indexes that find work, and one that makes the database delete done work. */
export const prepareWork = async (works: MongoCollection<WorkRecord>): Promise<void> => {
  await works.createIndex({ queue: 1, next: 1, lane: 1 }, { name: 'due by lane' });
  // A covering index, with which only the first work of each lane is read.
  await works.createIndex({ queue: 1, lane: 1, next: 1, _id: 1 }, { name: 'by lane' });
  await works.createIndex({ done: 1 }, { name: 'done', expireAfterSeconds: DONE_MILLISECONDS / 1_000 });
};

const fromNow = (milliseconds: number): object => ({ $add: ['$$NOW', milliseconds] });

/** Matches due work. Done work has no `next`, and would otherwise be sorted first. */
const DUE = { next: { $type: 'date' }, $expr: { $lte: ['$next', '$$NOW'] } } as const;

const stillClaimed = ({ queue, id, attempt }: ClaimedWork): { _id: WorkRecord['_id']; attempt: number; next: { $type: 'date' } } => ({
  _id: { queue, id },
  attempt,
  next: { $type: 'date' },
});

/**
 * Maximum number of due records that are scanned. If all of them are in excluded lanes, a slower query by
 * lane follows.
 */
const SCAN_LIMIT = 100;

type InLane = Pick<WorkRecord, '_id' | 'lane'>;

/** The work queue in MongoDB. A claim sets `next` to its own end. */
export class MongoWorkQueue implements WorkQueue {
  constructor(private readonly works: MongoCollection<WorkRecord>) {}

  enqueue({ queue, id, lane, data }: Work, due: Date): Promise<boolean> {
    return withPortErrors(async () => {
      try {
        await this.works.insertOne({ _id: { queue, id }, queue, lane, data, attempt: 0, next: due });
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    });
  }

  claim(queue: string, milliseconds: number, except: readonly string[] = []): Promise<ClaimedWork | null> {
    return withPortErrors(async () => {
      const work = await this.claimNext(queue, milliseconds, except);
      return work && { queue, id: work._id.id, lane: work.lane, data: work.data, attempt: work.attempt };
    });
  }

  extend(work: ClaimedWork, milliseconds: number): Promise<boolean> {
    return this.update(work, { next: fromNow(milliseconds) });
  }

  complete(work: ClaimedWork): Promise<boolean> {
    return this.update(work, { done: '$$NOW', next: '$$REMOVE' });
  }

  retryAt(work: ClaimedWork, due: Date): Promise<boolean> {
    return this.update(work, { next: due });
  }

  private async claimNext(queue: string, milliseconds: number, except: readonly string[]): Promise<WorkRecord | null> {
    if (except.length === 0) return this.claimFirst({ queue }, milliseconds);
    for (;;) {
      const found = await this.findDue(queue, except);
      for (const { _id } of found) {
        const work = await this.claimFirst({ _id }, milliseconds);
        if (work) return work;
      }
      // Other processes have claimed all work that was found, but there may be more.
      if (found.length === 0) return null;
    }
  }

  /**
   * Claims and returns the first matching due work. Returns null if none is left, for example because another
   * process has claimed it.
   */
  private claimFirst(which: { readonly queue: string } | Pick<WorkRecord, '_id'>, milliseconds: number): Promise<WorkRecord | null> {
    const claim = [{ $set: { next: fromNow(milliseconds), attempt: { $add: ['$attempt', 1] } } }];
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

  /** Returns the first work of each lane, the longest due first. */
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

  /** Updates work unless it is done or was claimed again. */
  private update(work: ClaimedWork, set: object): Promise<boolean> {
    return withPortErrors(async () => (await this.works.updateOne(stillClaimed(work), [{ $set: set }])).matchedCount === 1);
  }
}
