import type { Producer } from 'kafkajs';
import { LeaseLost } from '../../eventsourcing/ports/leases.port.js';
import type { PublicMessage, Publisher, TopicEnds } from '../../eventsourcing/ports/publisher.port.js';
import { turn } from '../../eventsourcing/turn.js';
import { choosingOnce, demandAcknowledged, endsOf } from './acknowledged.js';
import { connectTo, type KafkaConnection } from './connection.js';
import { reasonOf } from '../../eventsourcing/reason.js';
import { isFenced, unavailable } from './failures.js';
import { recordOf } from './records.js';

/** Acknowledged by every replica that is in sync. */
const ALL_REPLICAS = -1;
/**
 * A transaction begun right after another may have to wait until the brokers have closed that one, which takes a few
 * milliseconds: asked for again soon. Few times, since each of them also waits as long as connecting takes at the most.
 */
const RETRY = { initialRetryTime: 3, factor: 0.2, multiplier: 3, maxRetryTime: 1_000, retries: 6 };
/**
 * What is sent in one request. Kafka refuses more than a mebibyte for one partition at a time, and all of a request may
 * be for one; a single message may be larger, as far as its topic allows.
 */
const REQUEST_BYTES = 800_000;
/** What a message is besides its data: key, headers, framing. */
const OVERHEAD = 700;
/** A transaction that its publisher has left open holds up readers for no longer than this. */
const TRANSACTION_TIMEOUT = 30_000;

/**
 * Begins a publisher. From now on older ones of the same name reach nobody: they are fenced by the transactional id, what
 * they have under way is rolled back, and "consumers read committed".
 *
 * A publisher never begins again by itself. After a failure it is of no more use, since kafkajs can begin again only by
 * fencing everybody else, newer publishers included; so its owner, who knows whether it still is the one, begins a new
 * one. ("Producers should be re-initialised after an indefinite error.") Rejects with StoreUnavailable.
 */
export const openPublisher = async (connection: KafkaConnection, name: string): Promise<Publisher> => {
  const producer = connectTo(connection).producer({
    createPartitioner: choosingOnce,
    transactionalId: name,
    transactionTimeout: TRANSACTION_TIMEOUT,
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    retry: RETRY,
  });
  try {
    await producer.connect();
    // What fences is the producer's epoch, which kafkajs asks for with its first transaction; an empty one costs nothing.
    await (await producer.transaction()).abort();
  } catch (error) {
    await producer.disconnect();
    throw unavailable(error);
  }
  return new KafkaPublisher(producer, name);
};

/** One that has begun, on a producer whose transactions are fenced. */
export class KafkaPublisher implements Publisher {
  /** Publishing is one transaction after the other. */
  private last: Promise<unknown> = Promise.resolve();
  private failure: Error | null = null;

  constructor(
    private readonly producer: Pick<Producer, 'transaction' | 'disconnect'>,
    private readonly name: string,
  ) {}

  publish(messages: readonly PublicMessage[]): Promise<TopicEnds> {
    const published = this.last.then(() => this.publishNow(messages));
    this.last = published.catch(() => undefined);
    return published;
  }

  async close(): Promise<void> {
    this.failure ??= unavailable(new Error(`the publisher ${this.name} is closed`));
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
      let topicMessages = byTopic(parts[0] ?? []);
      for (const place of parts.keys()) {
        const answer = transaction.sendBatch({ acks: ALL_REPLICAS, topicMessages });
        const next = await madeReady(parts[place + 1], answer);
        const answers = await answer;
        demandAcknowledged(topicMessages, answers);
        for (const [partition, end] of endsOf(topicMessages, answers)) ends.set(partition, end);
        topicMessages = next;
      }
      await transaction.commit();
      return Object.fromEntries(ends);
    } catch (error) {
      this.failure = isFenced(error)
        ? new LeaseLost(`a newer publisher ${this.name} has begun: ${reasonOf(error)}`, { cause: error })
        : unavailable(error);
      throw this.failure;
    }
  }
}

/** The messages in their order, cut where a request would become too large. */
const partsOf = (messages: readonly PublicMessage[]): readonly (readonly PublicMessage[])[] => {
  const parts: PublicMessage[][] = [];
  let part: PublicMessage[] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const size = Buffer.byteLength(message.data) + OVERHEAD;
    if (bytes + size > REQUEST_BYTES) {
      parts.push((part = []));
      bytes = 0;
    }
    part.push(message);
    bytes += size;
  }
  return parts;
};

/** While one part is on its way, the records of the next are made. */
const madeReady = async (part: readonly PublicMessage[] = [], onItsWay: Promise<unknown>): Promise<Batch[]> => {
  // The caller that waits for the answer gets its failure.
  onItsWay.catch(() => undefined);
  await turn();
  return byTopic(part);
};

type Batch = { readonly topic: string; readonly messages: ReturnType<typeof recordOf>[] };

const byTopic = (messages: readonly PublicMessage[]): Batch[] => {
  const batches = new Map<string, Batch>();
  for (const message of messages) {
    let batch = batches.get(message.topic);
    if (!batch) batches.set(message.topic, (batch = { topic: message.topic, messages: [] }));
    batch.messages.push(recordOf(message));
  }
  return [...batches.values()];
};
