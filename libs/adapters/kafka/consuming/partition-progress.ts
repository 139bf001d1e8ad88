import { CheckpointTracker } from '../../../eventsourcing/consuming/checkpoint-tracker.js';

/**
 * The progress of one partition. An offset is committed only after its message was handled (contract 24.5).
 * The checkpoint is the offset of the last handled message, but Kafka stores the offset of the next one.
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

  /**
   * Records that all messages before this offset were taken, or have types that this consumer does not
   * handle.
   */
  readBefore(offset: number): void {
    this.readTo(offset - 1);
  }
}

/** Returns the key of a partition in maps: `topic/partition`. */
export const partitionKeyOf = (topic: string, partition: number): string => `${topic}/${partition}`;
