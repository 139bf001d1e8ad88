import { Kafka, logLevel } from 'kafkajs';
import { eventually } from '../../eventually.js';
import type { Cluster } from '../../servers/cluster.js';

/** Deletes topics, and waits until they are gone. */
export const deleteTopics = async ({ kafka }: Pick<Cluster, 'kafka'>, topics: readonly string[]): Promise<void> => {
  const admin = new Kafka({ brokers: kafka.brokers.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [...topics] });
  await eventually('the topics to be deleted', async () => (await admin.listTopics()).every((topic) => !topics.includes(topic)));
  await admin.disconnect();
};
