import { CheckpointTracker } from '../../../eventsourcing/consuming/checkpoint-tracker.js';

/**
 * The progress of one partition. An offset is committed only after its message was handled (contract 24.5). A position
 * is the offset of a handled message, while Kafka commits the offset of the next one.
 */
export class PartitionProgress extends CheckpointTracker {
  constructor(
    readonly topic: string,
    readonly partition: number,
  ) {
    super(-1);
  }

  /** Returns whether a message is new. After a rebalance, messages in progress are delivered again. */
  isNew(offset: number): boolean {
    return offset > this.lastRead();
  }

  /** Records that all messages before this offset were taken, or are of no type of this consumer. */
  readBefore(offset: number): void {
    this.readTo(offset - 1);
  }
}

/** Returns the key of a partition in a map. */
export const placeOf = (topic: string, partition: number): string => `${topic}/${partition}`;
