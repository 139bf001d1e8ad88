/** Something that is to be done once, at its time, by whichever process comes first. */
export type Work = {
  /** Its kind: `webhook-deliveries`. */
  readonly queue: string;
  /** Says which work it is: no two of a queue have the same. */
  readonly id: string;
  /**
   * Whom it is for: works of one lane burden one receiver, so a process that has claimed enough of a lane may leave the rest of it.
   * Lanes that burden somebody together begin alike: `tenant/endpoint` lies beneath `tenant`.
   */
  readonly lane: string;
  /** What its doer needs to know: JSON text. */
  readonly data: string;
};

/** Work that its claimant may do until its time is up. */
export type ClaimedWork = Work & {
  /** How often it was claimed, from 1 on. What is said of an earlier attempt is refused (a fencing token). */
  readonly attempt: number;
};

/** How long it is remembered that work was done: longer than whatever asks for it may ask again. */
export const DONE_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

/** Work that waits for its time: never lost, done at least once, and by one at a time. */
export interface WorkQueue {
  /**
   * Adds work that is due then, durable when it answers. False, and nothing changed, when there is work of that id, or it is
   * remembered that it was done.
   */
  enqueue(work: Work, due: Date): Promise<boolean>;
  /**
   * Takes the work that has been due the longest, for some milliseconds: nobody else is given it until that time is up. Null
   * when none is due. Works of the lanes in `except`, and of those beneath them, are passed over, however many are due: what
   * that takes grows with the number of lanes, not of works.
   */
  claim(queue: string, milliseconds: number, except?: readonly string[]): Promise<ClaimedWork | null>;
  /** Holds on to it for so many milliseconds from now; false when another has claimed it, or it is done. */
  extend(work: ClaimedWork, milliseconds: number): Promise<boolean>;
  /** Says that it is done, for good; false when another has claimed it, or it was done. */
  complete(work: ClaimedWork): Promise<boolean>;
  /** Gives it back, to be due again then; false when another has claimed it, or it is done. */
  retryAt(work: ClaimedWork, due: Date): Promise<boolean>;
}

/** Whether a lane is one of these, or lies beneath one of them. */
export const isLaneOf = (lane: string, lanes: readonly string[]): boolean =>
  lanes.some((other) => lane === other || lane.startsWith(`${other}/`));

/** The lane that a lane lies beneath, if any. */
export const groupOf = (lane: string): string | null => {
  const end = lane.lastIndexOf('/');
  return end < 0 ? null : lane.slice(0, end);
};
