import { AssignerProtocol, type Cluster, type Kafka } from 'kafkajs';
import { METADATA_AGE } from '../connection.js';
import { partitionKeyOf } from './partition-progress.js';

/** The first stored offset of a partition, and the offset after its last record. */
export type End = { readonly low: number; readonly high: number };

/** Reads the ends of topics from the brokers. */
export type PartitionEnds = {
  /** Returns the ends of all partitions that are not empty, by `topic/partition`. */
  of(topics: readonly string[]): Promise<ReadonlyMap<string, End>>;
  /** Returns the offset after the last record of all partitions, including empty partitions, by `topic/partition`. */
  highs(topics: readonly string[]): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
};

/**
 * Connects a reader of the ends of partitions. The ends include the messages of every acknowledged transaction. Brokers
 * acknowledge a transaction before they close it. Until they close it, the ends from kafkajs's admin client lack its
 * messages. The cluster object of a consumer with `readUncommitted` returns ends with these messages. The consumer created
 * here serves only to get that object, and joins no group.
 */
export const connectPartitionEnds = async (kafka: Kafka): Promise<PartitionEnds> => {
  const clusters: Cluster[] = [];
  const consumer = kafka.consumer({
    groupId: 'none',
    readUncommitted: true,
    metadataMaxAge: METADATA_AGE,
    // kafkajs passes the cluster object only to this function, which creates an assigner. The assigner assigns nothing.
    partitionAssigners: [
      ({ cluster }) => {
        clusters.push(cluster);
        return { name: 'none', version: 0, assign: () => Promise.resolve([]), protocol: () => ({ name: 'none', metadata: METADATA }) };
      },
    ],
  });
  await consumer.connect();
  return {
    async of(topics) {
      const ends = new Map<string, End>();
      for (const cluster of clusters) {
        const [lows, highs] = [await offsetsOf(cluster, topics, true), await offsetsOf(cluster, topics, false)];
        for (const [partitionKey, high] of highs) {
          const low = lows.get(partitionKey) ?? 0;
          if (high > low) ends.set(partitionKey, { low, high });
        }
      }
      return ends;
    },
    async highs(topics) {
      const highs = new Map<string, number>();
      for (const cluster of clusters)
        for (const [partitionKey, high] of await offsetsOf(cluster, topics, false)) highs.set(partitionKey, high);
      return highs;
    },
    close: () => consumer.disconnect(),
  };
};

/** Metadata of a group member without topics. kafkajs requires it of a partition assigner. */
const METADATA = AssignerProtocol.MemberMetadata.encode({ version: 0, topics: [], userData: Buffer.alloc(0) });

/** Returns the first stored offset of each partition, or the offset after the last record, by `topic/partition`. */
const offsetsOf = async (cluster: Cluster, topics: readonly string[], fromBeginning: boolean): Promise<ReadonlyMap<string, number>> => {
  await cluster.addMultipleTargetTopics([...topics]);
  await cluster.refreshMetadataIfNecessary();
  const queries = topics.map((topic) => ({
    topic,
    partitions: cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => ({ partition: partitionId })),
    fromBeginning,
  }));
  const offsets = new Map<string, number>();
  for (const { topic, partitions } of await cluster.fetchTopicsOffset(queries)) {
    for (const { partition, offset } of partitions) offsets.set(partitionKeyOf(topic, partition), Number(offset));
  }
  return offsets;
};
