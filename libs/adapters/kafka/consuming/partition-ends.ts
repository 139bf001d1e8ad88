import { AssignerProtocol, type Cluster, type Kafka } from 'kafkajs';
import { partitionKeyOf } from './partition-progress.js';

/** The first stored offset of a partition, and the offset after its last record. */
export type End = { readonly low: number; readonly high: number };

/** Reads the ends of topics from the brokers. */
export type PartitionEnds = {
  /** Returns the ends of all partitions that are not empty. */
  of(topics: readonly string[]): Promise<ReadonlyMap<string, End>>;
  /** Returns the ends of all partitions, including empty ones. */
  highs(topics: readonly string[]): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
};

/**
 * Connects a reader of ends. An end includes the messages of a transaction as soon as it is acknowledged. The
 * admin client of kafkajs includes them later, because brokers acknowledge a transaction before they close
 * it. A consumer that reads uncommitted messages has a cluster object that includes them at once. kafkajs
 * passes this object only to partition assigners, so a consumer is created for it. The consumer joins no
 * group.
 */
export const connectPartitionEnds = async (kafka: Kafka): Promise<PartitionEnds> => {
  const clusters: Cluster[] = [];
  const consumer = kafka.consumer({
    groupId: 'none',
    readUncommitted: true,
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

const METADATA = AssignerProtocol.MemberMetadata.encode({ version: 0, topics: [], userData: Buffer.alloc(0) });

const offsetsOf = async (cluster: Cluster, topics: readonly string[], fromBeginning: boolean): Promise<ReadonlyMap<string, number>> => {
  await cluster.addMultipleTargetTopics([...topics]);
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
