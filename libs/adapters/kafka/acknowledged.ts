import type { Message as KafkaRecord, RecordMetadata } from 'kafkajs';
import { partitionKeyOf } from './consuming/partition-progress.js';

type Batch = { readonly topic: string; readonly messages: readonly KafkaRecord[] };

/**
 * Throws unless brokers have acknowledged every partition of the sent records: a batch must be durable when
 * its promise resolves (contract 24.1). kafkajs does not check this. When it retries after a change of
 * leader, it skips brokers that have already responded. If the new leader is one of them, kafkajs resolves
 * although it has not sent the records.
 */
export const assertAcknowledged = (sent: readonly Batch[], responses: readonly RecordMetadata[]): void => {
  const acknowledged = new Map<string, Set<number | undefined>>();
  for (const { topicName, partition } of responses) acknowledged.set(topicName, (acknowledged.get(topicName) ?? new Set()).add(partition));
  for (const { topic, messages } of sent) {
    for (const { partition } of messages)
      if (!acknowledged.get(topic)?.has(partition)) throw new Error(`no broker acknowledged the records sent to ${topic}/${partition}`);
  }
};

/** Returns a lower bound for the end of each partition, from the base offsets in the responses. */
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
    const first = Number(baseOffset);
    if (first >= 0) ends.set(partitionKey, Math.max(ends.get(partitionKey) ?? 0, first + (counts.get(partitionKey) ?? 0)));
  }
  return ends;
};
