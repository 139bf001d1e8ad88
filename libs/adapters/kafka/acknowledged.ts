import type { Message as KafkaRecord, RecordMetadata } from 'kafkajs';
import { placeOf } from './consuming/partition-progress.js';

type Batch = { readonly topic: string; readonly messages: readonly KafkaRecord[] };

/**
 * Throws if a partition of the sent records has no answer: a batch must be durable when its promise resolves (contract
 * 24.1). kafkajs does not check this. When it retries after a change of leader, it skips brokers that have already
 * answered. If the new leader is one of them, kafkajs resolves although it has not sent the records.
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
 * Computes a lower bound for the end of each partition from the base offsets in the answers.
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
