import type { Admin, ITopicMetadata } from 'kafkajs';
import { inNamespace } from '../../eventsourcing/ports/publisher.port.js';
import { connectTo, type KafkaConnection } from './connection.js';
import { toStoreUnavailable } from './failures.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';

/** The configuration of new topics. Existing topics are not changed. */
export type TopicShape = {
  /** Default: 6. Adding partitions later would break the order of messages with the same key. */
  readonly partitions?: number;
  /** The number of brokers that store each message. */
  readonly replicationFactor: number;
  /**
   * The number of replicas that must have a message before it is acknowledged. Default: one fewer than `replicationFactor`,
   * so that writes continue while one broker is down. But with 2 replicas the default is 2: writes stop while a broker is
   * down, and the loss of a broker loses no message. With 1 replica, the default is 1.
   */
  readonly minInSyncReplicas?: number;
  /** Retention of messages in milliseconds. Default: unlimited. */
  readonly retentionMilliseconds?: number;
};

/** The default number of partitions (contract 22.7). */
const PARTITIONS = 6;
/**
 * The maximum size of a message in bytes. A request body may have 1 MiB. The message about that request's event can be
 * longer, because JSON escapes characters and a message has headers.
 */
const MESSAGE_BYTES = 2_097_152;
/** Kafka's value for no limit. */
const UNLIMITED = -1;

/**
 * Creates missing topics. If an existing topic has too few partitions, logs a warning and adds none. New partitions would
 * move keys to other partitions, and break the order of the messages of a key. Rejects with StoreUnavailable.
 */
export const prepareTopics = async (connection: KafkaConnection, names: readonly string[], shape: TopicShape, log: Log): Promise<void> => {
  const topics = names.map((name) => inNamespace(connection.namespace ?? '', name));
  const admin = connectTo(connection).admin();
  try {
    await admin.connect();
    const known = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !known.has(topic));
    if (missing.length > 0) await create(admin, missing, shape);
    const existing = topics.filter((topic) => known.has(topic));
    // Reads only the topics that existed before: a broker may not know a new topic yet.
    const { topics: metadata } = existing.length > 0 ? await admin.fetchTopicMetadata({ topics: existing }) : { topics: [] };
    for (const topic of metadata) warnIfTooFewPartitions(topic, shape, log);
  } catch (error) {
    throw toStoreUnavailable(error);
  } finally {
    await admin.disconnect();
  }
};

/** Returns the default of min.insync.replicas for a replication factor. */
export const defaultMinInSync = (replicationFactor: number): number => Math.min(replicationFactor, Math.max(2, replicationFactor - 1));

const create = async (admin: Admin, missing: readonly string[], shape: TopicShape): Promise<void> => {
  const { partitions = PARTITIONS, replicationFactor, minInSyncReplicas = defaultMinInSync(replicationFactor) } = shape;
  const configEntries = [
    { name: 'retention.ms', value: String(shape.retentionMilliseconds ?? UNLIMITED) },
    { name: 'retention.bytes', value: String(UNLIMITED) },
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'max.message.bytes', value: String(MESSAGE_BYTES) },
    { name: 'min.insync.replicas', value: String(minInSyncReplicas) },
  ];
  // If another process has just created a topic, `createTopics` resolves with false. This is no failure.
  await admin.createTopics({
    topics: missing.map((topic) => ({ topic, numPartitions: partitions, replicationFactor, configEntries })),
    waitForLeaders: true,
  });
};

const warnIfTooFewPartitions = ({ name, partitions }: ITopicMetadata, shape: TopicShape, log: Log): void => {
  const { partitions: wanted = PARTITIONS } = shape;
  if (partitions.length >= wanted) return;
  log.warn({ topic: name, partitions: partitions.length, wanted }, 'a topic has fewer partitions than configured; it is not changed');
};
