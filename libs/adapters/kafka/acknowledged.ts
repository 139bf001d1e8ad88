import { Partitioners, type ICustomPartitioner, type Message as KafkaRecord, type RecordMetadata } from 'kafkajs';
import { placeOf } from './consuming/partition-progress.js';

type Batch = { readonly topic: string; readonly messages: readonly KafkaRecord[] };

/** Chooses as kafkajs does, once for each record: what is sent again goes where it was to go, also when partitions were added. */
export const choosingOnce: ICustomPartitioner = () => {
  const choose = Partitioners.DefaultPartitioner();
  return (choice) => (choice.message.partition ??= choose(choice));
};

/**
 * "Durable at the brokers when it resolves": throws when nobody has answered for a partition that records were sent to.
 * kafkajs' own word is not enough: when it sends again after a broker has said that another leads a partition now, it
 * leaves out the brokers that have answered already, and the new leader may be one of them. It then resolves, and the
 * records never left.
 */
export const demandAcknowledged = (sent: readonly Batch[], answers: readonly RecordMetadata[]): void => {
  const answered = new Map<string, Set<number | undefined>>();
  for (const { topicName, partition } of answers) answered.set(topicName, (answered.get(topicName) ?? new Set()).add(partition));
  for (const { topic, messages } of sent) {
    for (const { partition } of messages)
      if (!answered.get(topic)?.has(partition)) throw new Error(`no broker has acknowledged what was sent to ${topic}/${partition}`);
  }
};

/** Where the partitions end that records were sent to, at the least: the answer says which offset the first of them got. */
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
