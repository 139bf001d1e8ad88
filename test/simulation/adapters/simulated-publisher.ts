import type { Admin, Transaction } from 'kafkajs';
import { toStoreUnavailable } from '../../../libs/adapters/kafka/failures.js';
import { PartitionLeaders } from '../../../libs/adapters/kafka/partition-leaders.js';
import { KafkaPublisher } from '../../../libs/adapters/kafka/publisher.js';
import type { Publisher, TopicsState } from '../../../libs/eventsourcing/ports/publisher.port.js';
import type { Link } from '../link.js';
import type { Broker, Producer } from './simulated-broker.js';

/** Opens the real publisher on simulated brokers, and fences earlier publishers with its name. Rejects with StoreUnavailable. */
export const simulatedPublisher = async (broker: Broker, name: string, link: Link): Promise<Publisher> => {
  const producer = await link(`open publisher ${name}`, () => broker.openProducer(name)).catch((error: unknown) => {
    throw toStoreUnavailable(error);
  });
  let transactions = 0;
  return new KafkaPublisher({
    producer: { transaction: async () => transactionOf(broker, { producer, number: ++transactions, link }) },
    leaders: new PartitionLeaders(metadataOf(broker, link), new Map(), () => broker.elapsed()),
    disconnect: () => Promise.resolve(),
    name,
    namespace: '',
  });
};

/** Reads the ends of topics. Rejects with StoreUnavailable. */
export const topicsNow = (broker: Broker, topics: readonly string[], link: Link): Promise<TopicsState> =>
  link('read the ends of topics', () => broker.state(topics)).catch((error: unknown) => {
    throw toStoreUnavailable(error);
  });

const metadataOf = (broker: Broker, link: Link): Pick<Admin, 'fetchTopicMetadata'> => ({
  fetchTopicMetadata(options) {
    const topics = options?.topics ?? [];
    return link('read the partitions of topics', () => ({ topics: topics.map((name) => ({ name, partitions: broker.metadata(name) })) }));
  },
});

type OpenTransaction = { readonly producer: Producer; readonly number: number; readonly link: Link };

/** Returns what the real publisher uses of a transaction of kafkajs. */
const transactionOf = (broker: Broker, { producer, number, link }: OpenTransaction): Transaction => {
  const { name } = producer;
  let requests = 0;
  const transaction: Pick<Transaction, 'sendBatch' | 'commit'> = {
    sendBatch({ topicMessages = [] }) {
      const request = ++requests;
      return link(`send ${name}/${number}/${request}`, () => [...broker.send(producer, number, request, topicMessages)]);
    },
    commit: () => link(`commit ${name}/${number}`, () => broker.commit(producer, number)),
  };
  return transaction as Transaction;
};
