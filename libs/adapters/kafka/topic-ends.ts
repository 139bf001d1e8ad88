import { inNamespace, withoutNamespace, type TopicsState } from '../../eventsourcing/ports/publisher.port.js';
import { connectTo, type KafkaConnection } from './connection.js';
import { connectPartitionEnds } from './consuming/partition-ends.js';
import { toStoreUnavailable } from './failures.js';

/**
 * Reads the cluster id, and the end of each partition of the topics. An end is the offset after the last record. The result
 * has no entries for a topic that does not exist. Rejects with StoreUnavailable.
 */
export const readTopics = async (connection: KafkaConnection, topics: readonly string[]): Promise<TopicsState> => {
  const { namespace = '' } = connection;
  const kafka = connectTo(connection);
  const admin = kafka.admin();
  try {
    await admin.connect();
    const { clusterId } = await admin.describeCluster();
    const all = new Set(await admin.listTopics());
    const existing = topics.map((topic) => inNamespace(namespace, topic)).filter((topic) => all.has(topic));
    if (existing.length === 0) return { cluster: clusterId, ends: {} };
    const partitionEnds = await connectPartitionEnds(kafka);
    try {
      const ends = [...(await partitionEnds.highs(existing))].map(
        ([partitionKey, end]) => [withoutNamespace(namespace, partitionKey), end] as const,
      );
      return { cluster: clusterId, ends: Object.fromEntries(ends) };
    } finally {
      await partitionEnds.close();
    }
  } catch (error) {
    throw toStoreUnavailable(error);
  } finally {
    await admin.disconnect();
  }
};
