import type { Collection as MongoCollection } from 'mongodb';
import { DONE_MILLISECONDS, isLaneOf, type ClaimedWork, type Work, type WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { answering, isDuplicate } from './connection/failures.js';

/** Work as MongoDB keeps it. */
export type KeptWork = {
  readonly _id: { readonly queue: string; readonly id: string };
  readonly queue: string;
  readonly lane: string;
  readonly data: string;
  readonly attempt: number;
  /** When it may be claimed, by the database's clock: its due time, or the end of a claim. Absent once it is done. */
  readonly next?: Date;
  readonly done?: Date;
};

/** Makes the indexes by which work is found, and forgotten. */
export const prepareWork = async (works: MongoCollection<KeptWork>): Promise<void> => {
  await works.createIndex({ queue: 1, next: 1, lane: 1 }, { name: 'due by lane' });
  // All that is asked of the first of each lane stands in the index, so that no other work of it is looked at.
  await works.createIndex({ queue: 1, lane: 1, next: 1, _id: 1 }, { name: 'by lane' });
  await works.createIndex({ done: 1 }, { name: 'done', expireAfterSeconds: DONE_MILLISECONDS / 1_000 });
};

const fromNow = (milliseconds: number): object => ({ $add: ['$$NOW', milliseconds] });

/** Work done has no time; without one it would be due before all others. */
const DUE = { next: { $type: 'date' }, $expr: { $lte: ['$next', '$$NOW'] } } as const;

const unchanged = ({ queue, id, attempt }: ClaimedWork): { _id: KeptWork['_id']; attempt: number; next: { $type: 'date' } } => ({
  _id: { queue, id },
  attempt,
  next: { $type: 'date' },
});

/** So many of those due are looked at before it is asked lane by lane: a backlog of what is passed over is not walked through. */
const LOOKED_AT = 100;

type InLane = Pick<KeptWork, '_id' | 'lane'>;

/** Work as records, each claimed by changing when it may be claimed next. */
export class MongoWorkQueue implements WorkQueue {
  constructor(private readonly works: MongoCollection<KeptWork>) {}

  enqueue({ queue, id, lane, data }: Work, due: Date): Promise<boolean> {
    return answering(async () => {
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
    return answering(async () => {
      const work = await this.claimNext(queue, milliseconds, except);
      return work && { queue, id: work._id.id, lane: work.lane, data: work.data, attempt: work.attempt };
    });
  }

  extend(work: ClaimedWork, milliseconds: number): Promise<boolean> {
    return this.change(work, { next: fromNow(milliseconds) });
  }

  complete(work: ClaimedWork): Promise<boolean> {
    return this.change(work, { done: '$$NOW', next: '$$REMOVE' });
  }

  retryAt(work: ClaimedWork, due: Date): Promise<boolean> {
    return this.change(work, { next: due });
  }

  private async claimNext(queue: string, milliseconds: number, except: readonly string[]): Promise<KeptWork | null> {
    if (except.length === 0) return this.take({ queue }, milliseconds);
    for (;;) {
      const found = await this.due(queue, except);
      for (const { _id } of found) {
        const work = await this.take({ _id }, milliseconds);
        if (work) return work;
      }
      // Others took all that was found: there may be more.
      if (found.length === 0) return null;
    }
  }

  /** Claims the first of these that is due: nothing when somebody else did so just now. */
  private take(which: { readonly queue: string } | Pick<KeptWork, '_id'>, milliseconds: number): Promise<KeptWork | null> {
    const claim = [{ $set: { next: fromNow(milliseconds), attempt: { $add: ['$attempt', 1] } } }];
    return this.works.findOneAndUpdate({ ...which, ...DUE }, claim, { sort: { next: 1 }, returnDocument: 'after' });
  }

  private async due(queue: string, except: readonly string[]): Promise<readonly InLane[]> {
    const earliest = this.works
      .find({ queue, ...DUE }, { projection: { lane: 1 } })
      .sort({ next: 1 })
      .limit(LOOKED_AT);
    const looked = await earliest.toArray();
    const found = looked.filter(({ lane }) => !isLaneOf(lane, except));
    return found.length > 0 || looked.length < LOOKED_AT ? found : this.firstOfLanes(queue, except);
  }

  /** What is first in each lane, those first that have been due the longest. */
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

  /** Changes work that was not claimed again since, and is not done. */
  private change(work: ClaimedWork, set: object): Promise<boolean> {
    return answering(async () => (await this.works.updateOne(unchanged(work), [{ $set: set }])).matchedCount === 1);
  }
}
