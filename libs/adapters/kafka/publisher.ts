import { Partitioners, type Producer } from 'kafkajs';
import { LeaseLost } from '../../eventsourcing/ports/leases.port.js';
import {
  inNamespace,
  withoutNamespace,
  type PublicMessage,
  type Publisher,
  type TopicEnds,
} from '../../eventsourcing/ports/publisher.port.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { assertAcknowledged, endsOf } from './acknowledged.js';
import { connectTo, type KafkaConnection } from './connection.js';
import { reasonOf } from '../../eventsourcing/reason.js';
import { isFenced, toStoreUnavailable } from './failures.js';
import { PartitionLeaders, type Target } from './partition-leaders.js';
import { recordOf } from './records.js';

/** Requires an acknowledgement from every in-sync replica. */
const ALL_REPLICAS = -1;
/**
 * Retries of transactions, with times in milliseconds. The first retry is soon, because brokers need only a few
 * milliseconds to close the previous transaction. There are few retries, because each may take as long as the connection
 * timeout.
 */
const RETRY = { initialRetryTime: 3, factor: 0.2, multiplier: 3, maxRetryTime: 1_000, retries: 6 };
/**
 * Maximum size of one request. By default, Kafka rejects a request with more than 1 MiB for one partition. All messages of
 * a request may be for the same partition. A request with a single message may be larger, up to the limit of its topic.
 */
const REQUEST_BYTES = 800_000;
/** Estimated bytes of a message besides its data: key, headers, framing. */
const MESSAGE_OVERHEAD_BYTES = 700;
/**
 * Milliseconds after which brokers abort an abandoned transaction. Until the abort, consumers cannot read later messages in
 * the partitions of that transaction.
 */
const TRANSACTION_TIMEOUT = 30_000;

/**
 * Opens a publisher, which sends messages to topics in transactions. `name` is the transactional id: brokers reject (fence)
 * earlier publishers with the same name, and roll back their open transactions. Consumers read only committed messages
 * (contract 22.4). `spread` has the number of partitions over which the keys of each topic are spread. Rejects with
 * StoreUnavailable.
 *
 * After a failure, a publisher is unusable. The relay opens a new one if its process still owns the relay's lease. A failed
 * publisher that is used again would fence all other publishers with its name, even newer ones.
 */
export const openPublisher = async (
  connection: KafkaConnection,
  name: string,
  spread: Readonly<Record<string, number>> = {},
): Promise<Publisher> => {
  const { namespace = '' } = connection;
  const kafka = connectTo(connection);
  const admin = kafka.admin();
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    transactionalId: inNamespace(namespace, name),
    transactionTimeout: TRANSACTION_TIMEOUT,
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    retry: RETRY,
  });
  const disconnect = async (): Promise<void> => void (await Promise.all([producer.disconnect(), admin.disconnect()]));
  try {
    // The clients connect one after the other, because a client that is still connecting cannot be disconnected.
    await producer.connect();
    await admin.connect();
    // The producer epoch fences earlier publishers. kafkajs requests the epoch only with the first transaction, so an
    // empty transaction is started and aborted here.
    await (await producer.transaction()).abort();
  } catch (error) {
    await disconnect();
    throw toStoreUnavailable(error);
  }
  const spreadAtBrokers = new Map(Object.entries(spread).map(([topic, count]) => [inNamespace(namespace, topic), count]));
  return new KafkaPublisher({ producer, leaders: new PartitionLeaders(admin, spreadAtBrokers), disconnect, name, namespace });
};

export type PublisherDependencies = {
  readonly producer: Pick<Producer, 'transaction'>;
  readonly leaders: PartitionLeaders;
  readonly disconnect: () => Promise<void>;
  readonly name: string;
  readonly namespace: string;
};

/**
 * A publisher that uses a transactional producer. Each request is for the partitions of one leader. For several leaders,
 * kafkajs would send to several brokers at once. If one of them requested a retry, kafkajs would send the messages again to
 * all brokers that had not responded yet. Topics could then contain messages twice.
 */
export class KafkaPublisher implements Publisher {
  /** The latest call of `publish`. The next call starts its transaction after the latest call has ended. */
  private last: Promise<unknown> = Promise.resolve();
  private failure: Error | null = null;

  constructor(private readonly dependencies: PublisherDependencies) {}

  publish(messages: readonly PublicMessage[]): Promise<TopicEnds> {
    const published = this.last.then(() => this.publishNow(messages));
    this.last = published.catch(() => undefined);
    return published;
  }

  async close(): Promise<void> {
    this.failure ??= toStoreUnavailable(new Error(`the publisher ${this.dependencies.name} is closed`));
    await this.last;
    await this.dependencies.disconnect();
  }

  private async publishNow(messages: readonly PublicMessage[]): Promise<TopicEnds> {
    if (this.failure) throw this.failure;
    const { producer, name, namespace } = this.dependencies;
    const ends = new Map<string, number>();
    if (messages.length === 0) return {};
    try {
      const requests = await this.requestsFor(messages);
      const transaction = await producer.transaction();
      let topicMessages = groupByTopic(requests[0] ?? [], namespace);
      // Sends a request while the records of the next request are created.
      for (const index of requests.keys()) {
        const sending = transaction.sendBatch({ acks: ALL_REPLICAS, topicMessages });
        const next = await prepareNext(requests[index + 1], namespace, sending);
        const acknowledged = await sending;
        assertAcknowledged(topicMessages, acknowledged);
        for (const [partition, end] of endsOf(topicMessages, acknowledged)) ends.set(withoutNamespace(namespace, partition), end);
        topicMessages = next;
      }
      await transaction.commit();
      return Object.fromEntries(ends);
    } catch (error) {
      this.failure = isFenced(error)
        ? new LeaseLost(`a newer publisher ${name} exists: ${reasonOf(error)}`, { cause: error })
        : toStoreUnavailable(error);
      throw this.failure;
    }
  }

  /** Splits messages into requests, each for the partitions of one leader. The messages of a partition stay in order. */
  private async requestsFor(messages: readonly PublicMessage[]): Promise<readonly (readonly Targeted[])[]> {
    const { leaders, namespace } = this.dependencies;
    await leaders.load(new Set(messages.map(({ topic }) => inNamespace(namespace, topic))));
    const targeted = messages.map((message) => ({ message, target: leaders.targetOf(inNamespace(namespace, message.topic), message.key) }));
    return [...Map.groupBy(targeted, ({ target }) => target.leader).values()].flatMap(splitBySize);
  }
}

type Targeted = { readonly message: PublicMessage; readonly target: Target };

/**
 * Splits messages, in order, into requests of at most REQUEST_BYTES. Only a request with a single message may
 * be larger.
 */
const splitBySize = (messages: readonly Targeted[]): readonly (readonly Targeted[])[] => {
  const requests: Targeted[][] = [];
  let request: Targeted[] = [];
  // Infinity makes the first message start the first request.
  let bytes = Infinity;
  for (const targeted of messages) {
    const size = Buffer.byteLength(targeted.message.data) + MESSAGE_OVERHEAD_BYTES;
    if (bytes + size > REQUEST_BYTES) {
      requests.push((request = []));
      bytes = 0;
    }
    request.push(targeted);
    bytes += size;
  }
  return requests;
};

/** Creates the records of the next request while `sending` sends the current request. */
const prepareNext = async (request: readonly Targeted[] = [], namespace: string, sending: Promise<unknown>): Promise<Batch[]> => {
  // The caller also awaits `sending`, and handles its failure.
  sending.catch(() => undefined);
  await yieldToEventLoop();
  return groupByTopic(request, namespace);
};

type Batch = { readonly topic: string; readonly messages: ReturnType<typeof recordOf>[] };

const groupByTopic = (messages: readonly Targeted[], namespace: string): Batch[] => {
  const batches = new Map<string, Batch>();
  for (const { message, target } of messages) {
    let batch = batches.get(message.topic);
    if (!batch) batches.set(message.topic, (batch = { topic: inNamespace(namespace, message.topic), messages: [] }));
    batch.messages.push({ ...recordOf(message), partition: target.partition });
  }
  return [...batches.values()];
};
