import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { contracts, topicsOf } from '../../../libs/contracts/contracts.js';
import { topicMessage, type TopicMessage } from '../../journeys/distributed/topic-messages.js';

/** A consumer of all topics that runs during the drills. */
export type TopicSubscription = {
  /** The messages of all topics so far, in the order of arrival. A message that Kafka delivers again is not added again. */
  readonly messages: readonly TopicMessage[];
  /** Returns the number of partitions with fewer replicas in sync than replicas. */
  underReplicated(): Promise<number>;
  close(): Promise<void>;
};

/** Subscribes to every topic from its beginning. */
export const subscribeToTopics = async (brokers: string): Promise<TopicSubscription> => {
  const topics = [...topicsOf(contracts)];
  const messages: TopicMessage[] = [];
  const offsets = new Set<string>();
  const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING, retry: { retries: 30, maxRetryTime: 5_000 } });
  const consumer = kafka.consumer({
    groupId: `drills.${randomUUID()}`,
    readUncommitted: false,
    maxWaitTimeInMs: 200,
    sessionTimeout: 10_000,
  });
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ topic, partition, message }) => {
      const offset = `${topic}/${partition}/${message.offset}`;
      // After a rebalance, Kafka may deliver an offset again. That is one published message, so it is added only once.
      if (!offsets.has(offset)) messages.push(topicMessage(topic, message));
      offsets.add(offset);
    },
  });
  return {
    messages,
    async underReplicated() {
      const admin = kafka.admin();
      await admin.connect();
      try {
        const metadata = await admin.fetchTopicMetadata({ topics });
        return metadata.topics.flatMap(({ partitions }) => partitions).filter(({ isr, replicas }) => isr.length < replicas.length).length;
      } finally {
        await admin.disconnect();
      }
    },
    close: () => consumer.disconnect(),
  };
};
