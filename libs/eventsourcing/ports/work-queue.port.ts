/** A piece of work with a due time, done once, by the first process that claims it. */
export type Work = {
  /** The kind of work: `webhook-deliveries`. */
  readonly queue: string;
  /** Identifies the work. It is unique within its queue. */
  readonly id: string;
  /**
   * The receiver of the work. A process can skip the work of receivers that are busy. Lanes form groups by
   * prefix: `tenant/endpoint` is in the group `tenant`.
   */
  readonly lane: string;
  /** The parameters of the work: JSON text. */
  readonly data: string;
};

/** Work that its claimant may do until the claim expires. */
export type ClaimedWork = Work & {
  /** Number of claims so far, from 1 on. It is a fencing token: calls for an earlier attempt are rejected. */
  readonly attempt: number;
};

/**
 * How long the queue remembers the ids of done work. No caller enqueues the same work again after that time.
 */
export const DONE_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

/**
 * Work that waits for its due time. It is never lost, done at least once, and claimed by one process at a
 * time.
 */
export interface WorkQueue {
  /**
   * Adds work with a due time. Durable when it resolves. Returns false and changes nothing if the queue has
   * work with that id, or remembers that it was done.
   */
  enqueue(work: Work, due: Date): Promise<boolean>;
  /**
   * Claims the work that has been due the longest for some milliseconds. No other process gets it until the
   * claim expires. Returns null if none is due. Skips work of the lanes and groups in `except`. The cost of
   * skipping grows with the number of lanes, not of works.
   */
  claim(queue: string, milliseconds: number, except?: readonly string[]): Promise<ClaimedWork | null>;
  /**
   * Extends the claim to so many milliseconds from now. Returns false if another process has claimed it, or
   * it is done.
   */
  extend(work: ClaimedWork, milliseconds: number): Promise<boolean>;
  /**
   * Marks the work as done, permanently. Returns false if another process has claimed it, or it was already
   * done.
   */
  complete(work: ClaimedWork): Promise<boolean>;
  /**
   * Releases the claim and sets a new due time. Returns false if another process has claimed it, or it is
   * done.
   */
  retryAt(work: ClaimedWork, due: Date): Promise<boolean>;
}

/** Returns whether a lane is one of these, or in the group of one of them. */
export const isLaneOf = (lane: string, lanes: readonly string[]): boolean =>
  lanes.some((other) => lane === other || lane.startsWith(`${other}/`));

/** Returns the group of a lane, or null. */
export const groupOf = (lane: string): string | null => {
  const end = lane.lastIndexOf('/');
  return end < 0 ? null : lane.slice(0, end);
};
