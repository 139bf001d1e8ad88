/** A message that the consumer has taken. It is in hand until the checkpoint passes it. */
export type MessageInHand = { readonly position: number; isDone: boolean };

/** Number of finished messages kept at the front before the array is cut. */
const COMPACT_AFTER = 1_024;

/**
 * Tracks how far a consumer has handled a log or a partition. Messages finish in any order. The checkpoint
 * moves only past consecutive finished messages (contract 24.5).
 */
export class CheckpointTracker {
  /**
   * Whether another process has taken over this partition. The remaining messages are then dropped, and no
   * position is stored.
   */
  isLost = false;
  private taken: MessageInHand[] = [];
  private first = 0;
  private read: number;

  /** `stored` is the stored checkpoint: everything up to it is handled. */
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

  /** Returns the checkpoint if it still has to be stored, or null. */
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
