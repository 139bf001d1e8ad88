import type { Message as KafkaRecord, RecordMetadata } from 'kafkajs';
import { partitionKeyOf } from './consuming/partition-progress.js';

type Batch = { readonly topic: string; readonly messages: readonly KafkaRecord[] };

/**
 * Throws unless brokers have acknowledged the records of every partition: a batch must be durable when its promise resolves
 * (contract 24.1). kafkajs does not check this. Its retry after a change of leader skips brokers that have already
 * responded. If such a broker is a partition's new leader, the records of that partition are never sent to it.
 */
export const assertAcknowledged = (sent: readonly Batch[], responses: readonly RecordMetadata[]): void => {
  const acknowledged = new Map<string, Set<number | undefined>>();
  for (const { topicName, partition } of responses) acknowledged.set(topicName, (acknowledged.get(topicName) ?? new Set()).add(partition));
  for (const { topic, messages } of sent) {
    for (const { partition } of messages)
      if (!acknowledged.get(topic)?.has(partition)) throw new Error(`no broker acknowledged the records sent to ${topic}/${partition}`);
  }
};

/**
 * Returns a lower bound for the end of each partition: the base offset in the response plus the number of sent records.
 * Other records, such as the control record that ends a transaction, may follow.
 */
export const endsOf = (sent: readonly Batch[], responses: readonly RecordMetadata[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { topic, messages } of sent) {
    for (const { partition } of messages) {
      const partitionKey = partitionKeyOf(topic, partition ?? 0);
      counts.set(partitionKey, (counts.get(partitionKey) ?? 0) + 1);
    }
  }
  const ends = new Map<string, number>();
  for (const { topicName, partition, baseOffset } of responses) {
    const partitionKey = partitionKeyOf(topicName, partition);
    // A negative base offset means that the broker reported none.
    const first = Number(baseOffset);
    if (first >= 0) ends.set(partitionKey, Math.max(ends.get(partitionKey) ?? 0, first + (counts.get(partitionKey) ?? 0)));
  }
  return ends;
};
