import type { Producer } from 'kafkajs';
import { LeaseLost } from '../../eventsourcing/ports/leases.port.js';
import {
  inNamespace,
  withoutNamespace,
  type PublicMessage,
  type Publisher,
  type TopicEnds,
} from '../../eventsourcing/ports/publisher.port.js';
import { yieldToEventLoop } from '../../eventsourcing/yield-to-event-loop.js';
import { choosePartitionOnce, assertAcknowledged, endsOf } from './acknowledged.js';
import { connectTo, type KafkaConnection } from './connection.js';
import { reasonOf } from '../../eventsourcing/reason.js';
import { isFenced, toStoreUnavailable } from './failures.js';
import { recordOf } from './records.js';

/** Requires an acknowledgement from every in-sync replica. */
const ALL_REPLICAS = -1;
/**
 * Retries of transactions. The first retry is soon, because brokers need some milliseconds to close the previous
 * transaction. There are few retries, because each may wait for the connection timeout.
 */
const RETRY = { initialRetryTime: 3, factor: 0.2, multiplier: 3, maxRetryTime: 1_000, retries: 6 };
/**
 * Maximum size of one request. Kafka rejects more than 1 MiB per partition, and a request may be for only one. A single
 * message may be larger, up to the limit of its topic.
 */
const REQUEST_BYTES = 800_000;
/** Estimated bytes of a message besides its data: key, headers, framing. */
const MESSAGE_OVERHEAD_BYTES = 700;
/** After this time brokers abort an abandoned transaction, which blocks consumers until then. */
const TRANSACTION_TIMEOUT = 30_000;

/**
 * Opens a publisher. Its name is its transactional id, by which it fences earlier publishers with the same name: their
 * open transactions are rolled back, and consumers read only committed messages (contract 22.4).
 *
 * After a failure a publisher is unusable, and its owner opens a new one if it still has the lease. kafkajs could only
 * continue by fencing all other publishers, including newer ones. Rejects with StoreUnavailable.
 */
export const openPublisher = async (connection: KafkaConnection, name: string): Promise<Publisher> => {
  const { namespace = '' } = connection;
  const producer = connectTo(connection).producer({
    createPartitioner: choosePartitionOnce,
    transactionalId: inNamespace(namespace, name),
    transactionTimeout: TRANSACTION_TIMEOUT,
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    retry: RETRY,
  });
  try {
    await producer.connect();
    // The producer epoch fences earlier publishers. kafkajs requests it with the first transaction, so an empty
    // transaction is aborted here.
    await (await producer.transaction()).abort();
  } catch (error) {
    await producer.disconnect();
    throw toStoreUnavailable(error);
  }
  return new KafkaPublisher(producer, name, namespace);
};

/** A publisher that uses a transactional producer. */
export class KafkaPublisher implements Publisher {
  /** Batches are published one transaction at a time. */
  private last: Promise<unknown> = Promise.resolve();
  private failure: Error | null = null;

  constructor(
    private readonly producer: Pick<Producer, 'transaction' | 'disconnect'>,
    private readonly name: string,
    private readonly namespace: string,
  ) {}

  publish(messages: readonly PublicMessage[]): Promise<TopicEnds> {
    const published = this.last.then(() => this.publishNow(messages));
    this.last = published.catch(() => undefined);
    return published;
  }

  async close(): Promise<void> {
    this.failure ??= toStoreUnavailable(new Error(`the publisher ${this.name} is closed`));
    await this.last;
    await this.producer.disconnect();
  }

  private async publishNow(messages: readonly PublicMessage[]): Promise<TopicEnds> {
    if (this.failure) throw this.failure;
    const ends = new Map<string, number>();
    if (messages.length === 0) return {};
    try {
      const transaction = await this.producer.transaction();
      const parts = partsOf(messages);
      let topicMessages = groupByTopic(parts[0] ?? [], this.namespace);
      for (const place of parts.keys()) {
        const answer = transaction.sendBatch({ acks: ALL_REPLICAS, topicMessages });
        const next = await prepareNext(parts[place + 1], this.namespace, answer);
        const answers = await answer;
        assertAcknowledged(topicMessages, answers);
        for (const [partition, end] of endsOf(topicMessages, answers)) ends.set(withoutNamespace(this.namespace, partition), end);
        topicMessages = next;
      }
      await transaction.commit();
      return Object.fromEntries(ends);
    } catch (error) {
      this.failure = isFenced(error)
        ? new LeaseLost(`a newer publisher ${this.name} exists: ${reasonOf(error)}`, { cause: error })
        : toStoreUnavailable(error);
      throw this.failure;
    }
  }
}

/** Splits messages, in order, into parts that fit in one request. */
const partsOf = (messages: readonly PublicMessage[]): readonly (readonly PublicMessage[])[] => {
  const parts: PublicMessage[][] = [];
  let part: PublicMessage[] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const size = Buffer.byteLength(message.data) + MESSAGE_OVERHEAD_BYTES;
    if (bytes + size > REQUEST_BYTES) {
      parts.push((part = []));
      bytes = 0;
    }
    part.push(message);
    bytes += size;
  }
  return parts;
};

/** Creates the records of the next part while the previous part is being sent. */
const prepareNext = async (part: readonly PublicMessage[] = [], namespace: string, sending: Promise<unknown>): Promise<Batch[]> => {
  // The caller also awaits `sending`, and handles its failure.
  sending.catch(() => undefined);
  await yieldToEventLoop();
  return groupByTopic(part, namespace);
};

type Batch = { readonly topic: string; readonly messages: ReturnType<typeof recordOf>[] };

const groupByTopic = (messages: readonly PublicMessage[], namespace: string): Batch[] => {
  const batches = new Map<string, Batch>();
  for (const message of messages) {
    let batch = batches.get(message.topic);
    if (!batch) batches.set(message.topic, (batch = { topic: inNamespace(namespace, message.topic), messages: [] }));
    batch.messages.push(recordOf(message));
  }
  return [...batches.values()];
};
