import { Partitioners, type ICustomPartitioner, type Message as KafkaRecord, type RecordMetadata } from 'kafkajs';

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
