/** A message that the consumer has taken. It is in hand until the checkpoint moves past its position. */
export type MessageInHand = { readonly position: number; isDone: boolean };

/** Finished messages are removed from the front of the array in groups of this size, because each removal copies the array. */
const COMPACT_AFTER = 1_024;

/**
 * Tracks how far a consumer has handled a log or a partition. Messages may finish in any order, but the checkpoint moves past
 * a message only after all earlier messages are finished (contract 24.5).
 */
export class CheckpointTracker {
  /**
   * Whether another process has taken over this partition. If so, this process drops the remaining messages and stores no
   * position.
   */
  isLost = false;
  private taken: MessageInHand[] = [];
  /** The index in `taken` of the first message that is not finished. */
  private first = 0;
  /** The last position that was read. Every message up to this position was taken, or does not concern this consumer. */
  private read: number;

  /** `stored` is the stored checkpoint: every message up to this position is handled. */
  constructor(private stored: number) {
    this.read = stored;
  }

  /** Takes a message. Positions must ascend. */
  take(position: number): MessageInHand {
    const taken = { position, isDone: false };
    this.taken.push(taken);
    return taken;
  }

  finish(taken: MessageInHand): void {
    taken.isDone = true;
    while (this.taken[this.first]?.isDone) this.first++;
    if (this.first < COMPACT_AFTER) return;
    this.taken = this.taken.slice(this.first);
    this.first = 0;
  }

  /** Records that everything up to this position was taken, or does not concern this consumer. */
  readTo(position: number): void {
    this.read = Math.max(this.read, position);
  }

  lastRead(): number {
    return this.read;
  }

  /** Returns the last position up to which everything is handled. */
  checkpoint(): number {
    const next = this.taken[this.first];
    return next ? next.position - 1 : this.read;
  }

  /** Returns the checkpoint, or null if it is already stored. */
  unstoredCheckpoint(): number | null {
    const checkpoint = this.checkpoint();
    return checkpoint > this.stored ? checkpoint : null;
  }

  markStored(position: number): void {
    this.stored = Math.max(this.stored, position);
  }

  /** Returns the number of messages that the checkpoint has not passed. */
  inHandCount(): number {
    return this.taken.length - this.first;
  }
}
