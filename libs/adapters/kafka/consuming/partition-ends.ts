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
  /** Reads the messages between two offsets. Counts them, and returns the time of the first in milliseconds since 1970. */
  messagesIn(ranges: readonly OffsetRange[]): Promise<CountedMessages>;
  close(): Promise<void>;
};

/** The offsets of a partition from `from` on and before `to`. */
export type OffsetRange = { readonly topic: string; readonly partition: number; readonly from: number; readonly to: number };
export type CountedMessages = { readonly count: number; readonly firstAt: number | null };

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
    messagesIn: (ranges) => countIn(clusters[0], ranges),
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

/** Maximum bytes of messages that one broker returns for a count. Offsets beyond them are counted without their messages. */
const COUNTED_BYTES = 1_048_576;

/** What kafkajs returns for a fetch request. It declares no type for it. */
type FetchResponse = {
  readonly responses: readonly {
    readonly topicName: string;
    readonly partitions: readonly { readonly partition: number; readonly messages: readonly FetchedRecord[] }[];
  }[];
};
type FetchedRecord = { readonly offset: string; readonly timestamp: string; readonly isControlRecord: boolean };

const countIn = async (cluster: Cluster | undefined, ranges: readonly OffsetRange[]): Promise<CountedMessages> => {
  const counted = cluster ? await Promise.all([...groupByLeader(cluster, ranges)].map((group) => countAt(cluster, ...group))) : [];
  const times = counted.flatMap(({ firstAt }) => firstAt ?? []);
  return { count: counted.reduce((sum, { count }) => sum + count, 0), firstAt: times.length > 0 ? Math.min(...times) : null };
};

const groupByLeader = (cluster: Cluster, ranges: readonly OffsetRange[]): ReadonlyMap<string, readonly OffsetRange[]> =>
  Map.groupBy(ranges, ({ topic, partition }) => Object.keys(cluster.findLeaderForPartitions(topic, [partition]))[0] ?? '');

/**
 * Counts the messages in ranges of partitions that a broker leads. Control records of transactions also have offsets, so the
 * difference of two offsets is no number of messages.
 */
const countAt = async (cluster: Cluster, nodeId: string, ranges: readonly OffsetRange[]): Promise<CountedMessages> => {
  const broker = await cluster.findBroker({ nodeId });
  const topics = [...Map.groupBy(ranges, ({ topic }) => topic)].map(([topic, ofTopic]) => ({
    topic,
    partitions: ofTopic.map(({ partition, from }) => ({ partition, fetchOffset: String(from), maxBytes: COUNTED_BYTES })),
  }));
  const request = { isolationLevel: READ_UNCOMMITTED, maxWaitTime: 0, minBytes: 0, maxBytes: COUNTED_BYTES, topics };
  const { responses } = (await broker.fetch(request)) as FetchResponse;
  const fetched = new Map(
    responses.flatMap(({ topicName, partitions }) =>
      partitions.map((one) => [partitionKeyOf(topicName, one.partition), one.messages] as const),
    ),
  );
  let count = 0;
  let firstAt: number | null = null;
  for (const { topic, partition, from, to } of ranges) {
    const records = (fetched.get(partitionKeyOf(topic, partition)) ?? []).filter(
      ({ offset }) => Number(offset) >= from && Number(offset) < to,
    );
    const messages = records.filter(({ isControlRecord }) => !isControlRecord);
    count += messages.length + to - (records.length === 0 ? from : Number(records.at(-1)?.offset) + 1);
    for (const { timestamp } of messages) firstAt = Math.min(firstAt ?? Infinity, Number(timestamp));
  }
  return { count, firstAt };
};

/** Kafka's number for reading all messages, also those of transactions that have not ended. */
const READ_UNCOMMITTED = 0;
