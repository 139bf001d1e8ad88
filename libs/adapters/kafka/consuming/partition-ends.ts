import { AssignerProtocol, type Cluster, type Kafka } from 'kafkajs';
import { placeOf } from './partition-progress.js';

/** Where a partition ends, and from where on it is still kept. */
export type End = { readonly low: number; readonly high: number };

/** Asks the brokers where topics end. */
export type PartitionEnds = {
  /** The ends of all partitions that hold anything. */
  of(topics: readonly string[]): Promise<ReadonlyMap<string, End>>;
  /** Where all partitions end, those too that hold nothing any more. */
  highs(topics: readonly string[]): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
};

/**
 * What was just published belongs to a topic's end too. kafkajs' admin does not count it: it asks as a reader of committed
 * messages, for whom a topic ends where the brokers have closed transactions, which they do a little after they have
 * acknowledged them. Only a consumer's cluster can be told to count everything, and kafkajs hands that to a partition
 * assigner; so there is a consumer here that joins no group and reads nothing.
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
        for (const [place, high] of highs) {
          const low = lows.get(place) ?? 0;
          if (high > low) ends.set(place, { low, high });
        }
      }
      return ends;
    },
    async highs(topics) {
      const highs = new Map<string, number>();
      for (const cluster of clusters) for (const [place, high] of await offsetsOf(cluster, topics, false)) highs.set(place, high);
      return highs;
    },
    close: () => consumer.disconnect(),
  };
};

const METADATA = AssignerProtocol.MemberMetadata.encode({ version: 0, topics: [], userData: Buffer.alloc(0) });

const offsetsOf = async (cluster: Cluster, topics: readonly string[], fromBeginning: boolean): Promise<ReadonlyMap<string, number>> => {
  await cluster.addMultipleTargetTopics([...topics]);
  const asked = topics.map((topic) => ({
    topic,
    partitions: cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => ({ partition: partitionId })),
    fromBeginning,
  }));
  const offsets = new Map<string, number>();
  for (const { topic, partitions } of await cluster.fetchTopicsOffset(asked)) {
    for (const { partition, offset } of partitions) offsets.set(placeOf(topic, partition), Number(offset));
  }
  return offsets;
};
