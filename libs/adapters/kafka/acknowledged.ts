import { Partitioners, type ICustomPartitioner, type Message as KafkaRecord, type RecordMetadata } from 'kafkajs';
import { placeOf } from './consuming/partition-progress.js';

type Batch = { readonly topic: string; readonly messages: readonly KafkaRecord[] };

/**
 * Chooses a partition as kafkajs does, once per record: a retry uses the same partition, even after
 * partitions were added.
 */
export const choosePartitionOnce: ICustomPartitioner = () => {
  const choose = Partitioners.DefaultPartitioner();
  return (choice) => (choice.message.partition ??= choose(choice));
};

/**
 * Throws when a partition that received records has no answer: a batch must be durable when it resolves
 * (contract 24.1). kafkajs does not check this. On a retry after a change of leader, it skips brokers that
 * have already answered. The new leader may be one of them. Then kafkajs resolves without having sent the
 * records.
 */
export const assertAcknowledged = (sent: readonly Batch[], answers: readonly RecordMetadata[]): void => {
  const answered = new Map<string, Set<number | undefined>>();
  for (const { topicName, partition } of answers) answered.set(topicName, (answered.get(topicName) ?? new Set()).add(partition));
  for (const { topic, messages } of sent) {
    for (const { partition } of messages)
      if (!answered.get(topic)?.has(partition)) throw new Error(`no broker acknowledged the records sent to ${topic}/${partition}`);
  }
};

/**
 * Returns a lower bound for the end of each partition that received records, from the base offsets of the
 * answers.
 */
export const endsOf = (sent: readonly Batch[], answers: readonly RecordMetadata[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { topic, messages } of sent) {
    for (const { partition } of messages) {
      const place = placeOf(topic, partition ?? 0);
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
  }
  const ends = new Map<string, number>();
  for (const { topicName, partition, baseOffset } of answers) {
    const place = placeOf(topicName, partition);
    const first = Number(baseOffset);
    if (first >= 0) ends.set(place, Math.max(ends.get(place) ?? 0, first + (counts.get(place) ?? 0)));
  }
  return ends;
};
