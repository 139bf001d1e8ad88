import { CheckpointTracker } from '../../../eventsourcing/consuming/checkpoint-tracker.js';

/**
 * How far one partition of this member's is handled ("offsets committed only after handling"). A position is a message's own
 * offset, while Kafka counts by the next one.
 */
export class PartitionProgress extends CheckpointTracker {
  constructor(
    readonly topic: string,
    readonly partition: number,
  ) {
    super(-1);
  }

  /** Whether a message is new here: after a rebalance those in hand come once more. */
  isNew(offset: number): boolean {
    return offset > this.lastRead();
  }

  /** Everything before this offset was taken, or is of no concern to this consumer. */
  readBefore(offset: number): void {
    this.readTo(offset - 1);
  }
}

/** How a partition is named in a map. */
export const placeOf = (topic: string, partition: number): string => `${topic}/${partition}`;
