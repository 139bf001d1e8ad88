/** A piece of work with a due time. A process first claims the work, and then does it. */
export type Work = {
  /** The kind of work, for example `webhook-deliveries`. */
  readonly queue: string;
  /** Identifies the work. It is unique within its queue. */
  readonly id: string;
  /**
   * All work for one receiver has the same lane, so that a process can skip receivers that are busy. The text before the last
   * slash is the group of the lane: `tenant/endpoint` is in the group `tenant`.
   */
  readonly lane: string;
  /** The parameters of the work: JSON text. */
  readonly data: string;
};

/** Work that its claimant may do until the claim expires. */
export type ClaimedWork = Work & {
  /** Number of claims so far, from 1 on. It is a fencing token: calls with an earlier number return false and change nothing. */
  readonly attempt: number;
  /**
   * Number of calls of `retryAfter` so far. If a process has crashed before it called `retryAfter`, the next claim has the same number.
   */
  readonly retries: number;
};

/**
 * How long the queue remembers the ids of done work, so that `enqueue` does not add such work again. No caller enqueues the
 * same work again after that time.
 */
export const DONE_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

/**
 * Stores work until its due time. No work is lost. All work is done at least once. Only one process at a time can claim a
 * piece of work. The queue has one clock for all processes, so callers give delays and not times.
 */
export abstract class WorkQueue {
  /**
   * Adds work that is due after `milliseconds`, by default now. Durable when it resolves. Returns false and changes nothing if the
   * queue has work with that id, or remembers that such work was done.
   */
  abstract enqueue(work: Work, milliseconds?: number): Promise<boolean>;
  /**
   * Claims the work that has been due the longest. The claim expires after `milliseconds`. Until then, no other process gets
   * the work. Returns null if no work is due. Skips work of the lanes and groups in `except`. The cost of skipping grows with
   * the number of lanes, not with the amount of work.
   */
  abstract claim(queue: string, milliseconds: number, except?: readonly string[]): Promise<ClaimedWork | null>;
  /**
   * Extends the claim so that it ends `milliseconds` from now. Returns false if another process has claimed the work, or the
   * work is done.
   */
  abstract extend(work: ClaimedWork, milliseconds: number): Promise<boolean>;
  /**
   * Marks the work as done, permanently. Returns false if another process has claimed the work, or the work was already done.
   */
  abstract complete(work: ClaimedWork): Promise<boolean>;
  /**
   * Releases the claim. The work is due again after `milliseconds`. Returns false if another process has claimed the work, or the
   * work is done.
   */
  abstract retryAfter(work: ClaimedWork, milliseconds: number): Promise<boolean>;
  /**
   * Ends waits that are longer than the delays which callers gave. Such waits exist only after the clock of the queue was set back.
   * The delays then begin again.
   */
  abstract shortenWaits(queue: string): Promise<void>;
  /** Returns work that is not done, claimed or not, at most `limit` pieces: first what is due first. Changes nothing. */
  abstract waiting(queue: string, limit: number): Promise<readonly ClaimedWork[]>;
}

/** Returns whether a lane is one of `lanes`, or is in a group that `lanes` names. */
export const isLaneOf = (lane: string, lanes: readonly string[]): boolean =>
  lanes.some((other) => lane === other || lane.startsWith(`${other}/`));

/** Returns the group of a lane, or null if the lane is in no group. */
export const groupOf = (lane: string): string | null => {
  const end = lane.lastIndexOf('/');
  return end < 0 ? null : lane.slice(0, end);
};
