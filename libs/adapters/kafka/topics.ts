import type { Admin, ITopicMetadata } from 'kafkajs';
import { connectTo, type KafkaConnection } from './connection.js';
import { unavailable } from './failures.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';

/** What new topics are made with. Existing ones stay as they are. */
export type TopicShape = {
  /** 6 unless told. More cannot be added later without tearing keys from their order. */
  readonly partitions?: number;
  /** On how many brokers each message rests. */
  readonly replicationFactor: number;
  /**
   * How many of them must have it before it counts as taken, unless told one less than the replicas, so that one may be
   * down; but two wherever there are two, since what one broker alone has is lost with it.
   */
  readonly minInSyncReplicas?: number;
  /** How long messages are kept, in milliseconds; for ever unless told. */
  readonly retentionMilliseconds?: number;
};

const PARTITIONS = 6;
/** A request body may have a mebibyte, and an event of it tells nearly all of it. */
const MESSAGE_BYTES = 2_097_152;
/** Kafka's word for ever. */
const FOR_EVER = -1;

/**
 * Makes the topics that are not there yet. One that is there with fewer partitions is said and not changed: with more
 * partitions the keys would move, and lose their order. Rejects with StoreUnavailable.
 */
export const prepareTopics = async (connection: KafkaConnection, topics: readonly string[], shape: TopicShape, log: Log): Promise<void> => {
  const admin = connectTo(connection).admin();
  try {
    await admin.connect();
    const known = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !known.has(topic));
    if (missing.length > 0) await create(admin, missing, shape);
    const there = topics.filter((topic) => known.has(topic));
    // Of one that another process makes just now, a broker may not know yet.
    const { topics: metadata } = there.length > 0 ? await admin.fetchTopicMetadata({ topics: there }) : { topics: [] };
    for (const topic of metadata) sayIfNarrow(topic, shape, log);
  } catch (error) {
    throw unavailable(error);
  } finally {
    await admin.disconnect();
  }
};

/** Of so many replicas, how many must have a message. */
export const inSyncOf = (replicationFactor: number): number => Math.min(replicationFactor, Math.max(2, replicationFactor - 1));

const create = async (admin: Admin, missing: readonly string[], shape: TopicShape): Promise<void> => {
  const { partitions = PARTITIONS, replicationFactor, minInSyncReplicas = inSyncOf(replicationFactor) } = shape;
  const configEntries = [
    { name: 'retention.ms', value: String(shape.retentionMilliseconds ?? FOR_EVER) },
    { name: 'retention.bytes', value: String(FOR_EVER) },
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'max.message.bytes', value: String(MESSAGE_BYTES) },
    { name: 'min.insync.replicas', value: String(minInSyncReplicas) },
  ];
  // Another process may be at it at the same time: an existing topic is no error, and answers false.
  await admin.createTopics({
    topics: missing.map((topic) => ({ topic, numPartitions: partitions, replicationFactor, configEntries })),
    waitForLeaders: true,
  });
};

const sayIfNarrow = ({ name, partitions }: ITopicMetadata, shape: TopicShape, log: Log): void => {
  const { partitions: wanted = PARTITIONS } = shape;
  if (partitions.length >= wanted) return;
  log.warn({ topic: name, partitions: partitions.length, wanted }, 'a topic has fewer partitions than wanted; it stays as it is');
};
