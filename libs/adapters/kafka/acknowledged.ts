import { Partitioners, type ICustomPartitioner, type Message as KafkaRecord, type RecordMetadata } from 'kafkajs';

type Batch = { readonly topic: string; readonly messages: readonly KafkaRecord[] };

/**
 * Knows where records were meant to go, and so whether the brokers have acknowledged them all. kafkajs' own word is not
 * enough: when it sends again after a broker has said that another leads a partition now, it leaves out the brokers that
 * have answered already, and the new leader may be one of them. It then resolves, and the records never left.
 */
export class Acknowledged {
  private readonly chosen = new WeakMap<KafkaRecord, number>();

  /** Chooses as kafkajs does, once for each record: what is sent again goes where it was to go, also when partitions were added. */
  readonly createPartitioner: ICustomPartitioner = () => {
    const choose = Partitioners.DefaultPartitioner();
    return (choice) => {
      const partition = this.chosen.get(choice.message) ?? choose(choice);
      this.chosen.set(choice.message, partition);
      return partition;
    };
  };

  /** "Durable at the brokers when it resolves": throws when nobody has answered for a partition that records were sent to. */
  demand(sent: readonly Batch[], answers: readonly RecordMetadata[]): void {
    const answered = new Set(answers.map(({ topicName, partition }) => `${topicName}/${partition}`));
    for (const { topic, messages } of sent) {
      for (const message of messages) {
        const place = `${topic}/${this.chosen.get(message)}`;
        if (!answered.has(place)) throw new Error(`no broker has acknowledged what was sent to ${place}`);
      }
    }
  }
}
