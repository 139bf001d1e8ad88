/** A message in hand: its offset, and whether it is dealt with. */
export type Taken = { readonly offset: number; done: boolean };

/** Finished messages kept at the front before they are cut off. */
const CUT = 1_024;

/**
 * How far one partition is dealt with: messages end in any order, and its offset moves only past an unbroken row of them
 * ("offsets committed only after handling").
 */
export class PartitionProgress {
  /** Somebody else's by now: what is left of it is dropped, and nothing of it is stored any more. */
  lost = false;
  /** The offset that is stored, null until one was. */
  stored: number | null = null;
  private taken: Taken[] = [];
  private first = 0;
  private read: number | null = null;

  constructor(
    readonly topic: string,
    readonly partition: number,
  ) {}

  /** Whether a message is new here: after a rebalance those in hand come once more. */
  isNew(offset: number): boolean {
    return this.read === null || offset >= this.read;
  }

  /** Takes a message, later ones after earlier ones. */
  take(offset: number): Taken {
    const taken = { offset, done: false };
    this.taken.push(taken);
    return taken;
  }

  finish(taken: Taken): void {
    taken.done = true;
    while (this.taken[this.first]?.done) this.first++;
    if (this.first < CUT) return;
    this.taken = this.taken.slice(this.first);
    this.first = 0;
  }

  /** Everything before this offset was taken, or is none of this consumer's business. */
  readTo(offset: number): void {
    this.read = Math.max(this.read ?? 0, offset);
  }

  /** The offset before which nothing is left to be done; null before anything was read. */
  next(): number | null {
    return this.taken[this.first]?.offset ?? this.read;
  }

  /** The offset that should be stored, null when it is. */
  unstored(): number | null {
    const next = this.next();
    return !this.lost && next !== null && next > (this.stored ?? -1) ? next : null;
  }

  /** How many were taken and are not yet past. */
  open(): number {
    return this.taken.length - this.first;
  }
}

/** How a partition is named in a map. */
export const placeOf = (topic: string, partition: number): string => `${topic}/${partition}`;
