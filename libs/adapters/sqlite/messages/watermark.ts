/** A message taken from the log. */
export type Taken = { readonly position: number; done: boolean };

/** Finished messages kept at the front before they are cut off. */
const CUT = 1_024;

/** How far everything is dealt with: messages end in any order, and the position moves only past an unbroken row of them. */
export class Watermark {
  private taken: Taken[] = [];
  private first = 0;

  /** `read` is how far the log was read: everything up to it was taken, or is none of this consumer's business. */
  constructor(private read: number) {}

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

  readTo(position: number): void {
    this.read = position;
  }

  readSoFar(): number {
    return this.read;
  }

  /** The last position that nothing before or at it is still to be done for. */
  low(): number {
    const next = this.taken[this.first];
    return next ? next.position - 1 : this.read;
  }

  /** How many were taken and are not yet past. */
  open(): number {
    return this.taken.length - this.first;
  }
}
