import { CheckpointTracker } from '../../../eventsourcing/consuming/checkpoint-tracker.js';

/**
 * The progress of one partition. An offset is committed only after its message was handled (contract 24.5). All messages up
 * to the checkpoint are handled. The committed offset is the checkpoint plus 1, because Kafka stores the offset to read next.
 */
export class PartitionProgress extends CheckpointTracker {
  constructor(
    readonly topic: string,
    readonly partition: number,
  ) {
    // No message is read yet. The first offset of a partition is 0, so the checkpoint before it is -1.
    super(-1);
  }

  /** Returns whether a message was not read before. After a rebalance, brokers deliver messages in progress again. */
  isNew(offset: number): boolean {
    return offset > this.lastRead();
  }

  /**
   * Records that every message before this offset has been read. Messages that are not in progress are handled or ignored.
   */
  readBefore(offset: number): void {
    this.readTo(offset - 1);
  }
}

/** Returns the key of a partition in maps: `topic/partition`. */
export const partitionKeyOf = (topic: string, partition: number): string => `${topic}/${partition}`;

/** Returns the partition of a key that `partitionKeyOf` has created. */
export const partitionOf = (partitionKey: string): { readonly topic: string; readonly partition: number } => {
  const at = partitionKey.lastIndexOf('/');
  return { topic: partitionKey.slice(0, at), partition: Number(partitionKey.slice(at + 1)) };
};
