import type { IHeaders, Message, PartitionMetadata, RecordMetadata } from 'kafkajs';
import type { Offset } from '../../../libs/adapters/kafka/consuming/fetching.js';
import type { CountedMessages } from '../../../libs/adapters/kafka/consuming/partition-ends.js';
import { partitionKeyOf } from '../../../libs/adapters/kafka/consuming/partition-progress.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { TopicsState } from '../../../libs/eventsourcing/ports/publisher.port.js';
import { BrokerError, BrokerGroup } from './simulated-broker-group.js';

/** Milliseconds after which an open transaction is aborted, as the real publisher requests it. */
const TRANSACTION_TIMEOUT = 30_000;
/** Number of brokers that lead partitions. With more than one, a publisher sends several requests in a transaction. */
const LEADERS = 2;
/** Maximum number of records that a fetch reads from a partition. */
const MAX_FETCHED = 500;

/** A message as consumers fetch it. */
export type FetchedMessage = {
  readonly offset: string;
  readonly timestamp: string;
  readonly key: string;
  readonly value: string;
  readonly headers: IHeaders;
};

/** Messages of a partition, and the offset after them. */
export type Fetched = {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly FetchedMessage[];
  readonly nextOffset: number;
};

/** A publisher's right to publish. It ends when a publisher with the same name gets the next epoch. */
export type Producer = { readonly name: string; readonly epoch: number };

/** Messages for topics. Each message has its partition. */
export type Batches = readonly { readonly topic: string; readonly messages: readonly Message[] }[];

type Transaction = {
  readonly number: number;
  readonly startedAt: number;
  state: 'open' | 'committed' | 'aborted';
  readonly partitions: Set<Partition>;
  /** The responses by request. A request that arrives again gets the first response, and its messages are not stored again. */
  readonly responses: Map<number, readonly RecordMetadata[]>;
};

/** A record. The end of a transaction is a record without a message, and has an offset too. */
type StoredRecord = { readonly message: FetchedMessage | null; readonly transaction: Transaction };

/** A partition of a topic. An offset is an index of `records`. */
class Partition {
  private readonly records: StoredRecord[] = [];
  /** The first offset of each open transaction. */
  private readonly open = new Map<Transaction, number>();

  end(): number {
    return this.records.length;
  }

  append(message: Message, transaction: Transaction, time: number): void {
    if (!this.open.has(transaction)) this.open.set(transaction, this.end());
    transaction.partitions.add(this);
    const { key, value, headers = {} } = message;
    const fetched = { offset: String(this.end()), timestamp: String(time), key: String(key), value: String(value), headers };
    this.records.push({ message: fetched, transaction });
  }

  /** Stores the end of a transaction. */
  close(transaction: Transaction): void {
    this.open.delete(transaction);
    this.records.push({ message: null, transaction });
  }

  /** Returns committed messages from an offset on, up to the first open transaction. */
  read(from: number): Pick<Fetched, 'messages' | 'nextOffset'> {
    const nextOffset = Math.max(from, Math.min(from + MAX_FETCHED, this.end(), ...this.open.values()));
    const messages: FetchedMessage[] = [];
    for (let offset = from; offset < nextOffset; offset++) {
      const record = this.records[offset];
      if (record?.message && record.transaction.state === 'committed') messages.push(record.message);
    }
    return { messages, nextOffset };
  }

  /** Counts the messages from an offset on, also those of transactions that are open or aborted: their consumers cannot know. */
  countFrom(from: number): CountedMessages {
    let count = 0;
    let firstAt: number | null = null;
    for (let offset = from; offset < this.end(); offset++) {
      const message = this.records[offset]?.message;
      if (!message) continue;
      firstAt ??= Number(message.timestamp);
      count++;
    }
    return { count, firstAt };
  }
}

type ProducerState = { epoch: number; transaction: Transaction | null };

/** The brokers of a Kafka cluster: topics, transactional producers and consumer groups. Its state outlives every process. */
export class Broker {
  private readonly topics = new Map<string, readonly Partition[]>();
  private readonly producers = new Map<string, ProducerState>();
  private readonly groups = new Map<string, BrokerGroup>();

  constructor(private readonly clock: Clock) {}

  /** Milliseconds by the clock of the brokers. */
  elapsed(): number {
    return this.clock.elapsed();
  }

  /** Creates a topic, unless it exists. */
  createTopic(topic: string, partitions = 6): void {
    if (!this.topics.has(topic))
      this.topics.set(
        topic,
        Array.from({ length: partitions }, () => new Partition()),
      );
  }

  /** Returns the cluster, and the ends of the topics that exist. */
  state(topics: readonly string[]): TopicsState {
    const ends: Record<string, number> = {};
    for (const topic of topics)
      for (const [number, partition] of (this.topics.get(topic) ?? []).entries()) ends[partitionKeyOf(topic, number)] = partition.end();
    return { cluster: 'simulated', ends };
  }

  /** Returns the partitions of a topic and their leaders. */
  metadata(topic: string): PartitionMetadata[] {
    return this.partitionsOf(topic).map((_, partitionId) => {
      const leader = partitionId % LEADERS;
      return { partitionId, leader, partitionErrorCode: 0, replicas: [leader], isr: [leader] };
    });
  }

  /** Gives a producer the next epoch of its name: fences earlier producers, and aborts their open transaction. */
  openProducer(name: string): Producer {
    let producer = this.producers.get(name);
    if (!producer) this.producers.set(name, (producer = { epoch: -1, transaction: null }));
    this.fence(producer);
    return { name, epoch: producer.epoch };
  }

  /**
   * Stores the messages of a request of a transaction. Both are numbered by the producer, in ascending order. The first request
   * of a transaction opens it.
   */
  send(producer: Producer, transaction: number, request: number, batches: Batches): readonly RecordMetadata[] {
    const open = this.transactionOf(producer, transaction);
    const earlier = open.responses.get(request);
    if (earlier) return earlier;
    const targets = batches.flatMap(({ topic, messages }) =>
      messages.map((message) => ({
        topic,
        number: message.partition ?? 0,
        message,
        partition: this.partition(topic, message.partition ?? 0),
      })),
    );
    const time = this.clock.now().getTime();
    const responses = new Map<Partition, RecordMetadata>();
    for (const { topic, number, message, partition } of targets) {
      if (!responses.has(partition))
        responses.set(partition, { topicName: topic, partition: number, errorCode: 0, baseOffset: String(partition.end()) });
      partition.append(message, open, time);
    }
    open.responses.set(request, [...responses.values()]);
    return [...responses.values()];
  }

  /** Commits a transaction. A transaction without a request needs no commit, and a repeated commit changes nothing. */
  commit(producer: Producer, number: number): void {
    const { transaction } = this.current(producer);
    if (transaction?.number === number) endTransaction(transaction, 'committed');
  }

  /** Reads the next committed messages of a partition. */
  fetch({ topic, partition, offset }: Offset): Fetched {
    this.abortExpired();
    return { topic, partition, ...this.partition(topic, partition).read(offset) };
  }

  /** Returns a consumer group. It exists from its first use on. */
  group(id: string): BrokerGroup {
    let group = this.groups.get(id);
    if (!group) this.groups.set(id, (group = new BrokerGroup(id, this.clock, (topic) => this.partitionsOf(topic))));
    return group;
  }

  /** Counts the messages of topics that a group has not handled. */
  lag(groupId: string, topics: readonly string[]): CountedMessages {
    const group = this.group(groupId);
    const counted = topics.flatMap((topic) =>
      this.partitionsOf(topic).map((partition, number) => partition.countFrom(group.committed(topic, number))),
    );
    const times = counted.flatMap(({ firstAt }) => firstAt ?? []);
    return { count: counted.reduce((sum, { count }) => sum + count, 0), firstAt: times.length > 0 ? Math.min(...times) : null };
  }

  /** Returns the committed offsets of a group, by `topic/partition`. */
  committedOf(groupId: string, topics: readonly string[]): ReadonlyMap<string, number> {
    const group = this.group(groupId);
    return new Map(
      topics.flatMap((topic) => this.partitionsOf(topic).map((_, number) => [`${topic}/${number}`, group.committed(topic, number)])),
    );
  }

  private partitionsOf(topic: string): readonly Partition[] {
    const partitions = this.topics.get(topic);
    if (!partitions) throw new BrokerError('UNKNOWN_TOPIC_OR_PARTITION');
    return partitions;
  }

  private partition(topic: string, number: number): Partition {
    const partition = this.partitionsOf(topic)[number];
    if (!partition) throw new BrokerError('UNKNOWN_TOPIC_OR_PARTITION');
    return partition;
  }

  /** Returns the state of a producer. Throws if the producer is fenced. */
  private current({ name, epoch }: Producer): ProducerState {
    this.abortExpired();
    const producer = this.producers.get(name);
    if (producer?.epoch !== epoch) throw new BrokerError('INVALID_PRODUCER_EPOCH');
    return producer;
  }

  /** Returns a transaction, which it opens if it is new. Throws if the transaction has ended: the request arrives too late. */
  private transactionOf(producer: Producer, number: number): Transaction {
    const state = this.current(producer);
    const last = state.transaction;
    if (last?.state === 'open' && last.number === number) return last;
    if (last && (last.state === 'open' || last.number >= number)) throw new BrokerError('INVALID_TXN_STATE');
    const startedAt = this.clock.elapsed();
    return (state.transaction = { number, startedAt, state: 'open', partitions: new Set(), responses: new Map() });
  }

  /** Aborts transactions that are open for too long: nothing after them can be read. Their producers are fenced. */
  private abortExpired(): void {
    for (const producer of this.producers.values()) {
      const { transaction } = producer;
      if (transaction?.state === 'open' && this.clock.elapsed() - transaction.startedAt > TRANSACTION_TIMEOUT) this.fence(producer);
    }
  }

  private fence(producer: ProducerState): void {
    producer.epoch++;
    if (producer.transaction) endTransaction(producer.transaction, 'aborted');
    producer.transaction = null;
  }
}

/** Ends a transaction, unless it has ended. */
const endTransaction = (transaction: Transaction, state: 'committed' | 'aborted'): void => {
  if (transaction.state !== 'open') return;
  transaction.state = state;
  for (const partition of transaction.partitions) partition.close(transaction);
};
