import { CheckpointTracker } from '../../../eventsourcing/consuming/checkpoint-tracker.js';

/**
 * The progress of one partition. Offsets are committed only after handling (contract 24.5). A position is the
 * offset of a message, while Kafka commits the offset of the next one.
 */
export class PartitionProgress extends CheckpointTracker {
  constructor(
    readonly topic: string,
    readonly partition: number,
  ) {
    super(-1);
  }

  /** Returns whether a message is new. After a rebalance, messages in hand are delivered again. */
  isNew(offset: number): boolean {
    return offset > this.lastRead();
  }

  /** Records that everything before this offset was taken, or does not concern this consumer. */
  readBefore(offset: number): void {
    this.readTo(offset - 1);
  }
}

/** Returns the key of a partition in a map. */
export const placeOf = (topic: string, partition: number): string => `${topic}/${partition}`;
