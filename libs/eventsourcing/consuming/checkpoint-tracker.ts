/** A message in hand. */
export type Taken = { readonly position: number; done: boolean };

/** Finished messages kept at the front before they are cut off. */
const CUT = 1_024;

/**
 * How far everything of a log, or of a partition, is handled: messages end in any order, and the checkpoint moves only past an
 * unbroken row of them ("the position stored after handling").
 */
export class CheckpointTracker {
  /** Another process's by now: what is left of it is dropped, and nothing of it is stored any more. */
  lost = false;
  private taken: Taken[] = [];
  private first = 0;
  private read: number;

  /** `stored` is the position up to which everything was handled earlier. */
  constructor(private stored: number) {
    this.read = stored;
  }

  /** Takes a message, later ones after earlier ones. */
  take(position: number): Taken {
    const taken = { position, done: false };
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

  /** Everything up to this position was taken, or is of no concern to this consumer. */
  readTo(position: number): void {
    this.read = Math.max(this.read, position);
  }

  readSoFar(): number {
    return this.read;
  }

  /** The last position up to which everything is handled. */
  checkpoint(): number {
    const next = this.taken[this.first];
    return next ? next.position - 1 : this.read;
  }

  /** The checkpoint where it should be stored, null when it is. */
  unstored(): number | null {
    const checkpoint = this.checkpoint();
    return checkpoint > this.stored ? checkpoint : null;
  }

  storedAt(position: number): void {
    this.stored = Math.max(this.stored, position);
  }

  /** How many were taken and are not yet past. */
  open(): number {
    return this.taken.length - this.first;
  }
}
