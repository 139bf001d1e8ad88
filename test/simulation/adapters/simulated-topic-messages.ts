import type { Consumer, ConsumerConfig, ConsumerSubscribeTopics, EachBatchPayload, TopicPartitionOffset, TopicPartitions } from 'kafkajs';
import { partitionKeyOf } from '../../../libs/adapters/kafka/consuming/partition-progress.js';
import { hasErrorType, toStoreUnavailable } from '../../../libs/adapters/kafka/failures.js';
import { consumeWith, type ConsumingOptions, type KafkaMessages } from '../../../libs/adapters/kafka/kafka-messages.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { Link } from '../link.js';
import type { Broker, Fetched } from './simulated-broker.js';

/** Milliseconds before a failed request is repeated, and the number of failures in a row after which the consumer crashes. */
const RETRY_PAUSE = 200;
const MAX_FAILURES = 5;

/** The messages of one process: the real adapter, with a simulated client of simulated brokers. */
export const simulatedTopicMessages = (broker: Broker, link: Link, options: ConsumingOptions): KafkaMessages => {
  const { topics, clock } = options;
  const consumerOf = (config: ConsumerConfig): Consumer =>
    new SimulatedConsumer(config as MemberConfig, { broker, link, clock }) as unknown as Consumer;
  const ask = <T>(call: string, effect: () => T): Promise<T> =>
    link(call, effect).catch((error: unknown) => {
      throw toStoreUnavailable(error);
    });
  const offsets = {
    lag: (groupId: string) => ask(`read the lag of ${groupId}`, () => broker.lag(groupId, topics)),
    committed: (groupId: string) => ask(`read the offsets of ${groupId}`, () => broker.committedOf(groupId, topics)),
    ping: () => ask('ping the brokers', () => undefined),
    close: () => Promise.resolve(),
  };
  return consumeWith({ kafka: { consumer: consumerOf }, offsets }, options);
};

type MemberConfig = Required<Pick<ConsumerConfig, 'groupId' | 'sessionTimeout' | 'rebalanceTimeout' | 'maxWaitTimeInMs'>>;
type ClientDependencies = { readonly broker: Broker; readonly link: Link; readonly clock: Clock };
type Listener = (event: { readonly payload: object }) => void;
type EachBatch = (payload: EachBatchPayload) => Promise<void>;

/**
 * What the real adapter uses of a consumer of kafkajs. It sends one request after the other: to join the group, or to fetch
 * messages, which is a heartbeat too.
 */
class SimulatedConsumer {
  readonly events = { CRASH: 'crash', GROUP_JOIN: 'join', END_BATCH_PROCESS: 'batch' } as const;
  private readonly listeners = new Map<string, Listener>();
  private readonly paused = new Set<string>();
  /** The next offset of each assigned partition. Null if the group must be joined first. */
  private next: Map<string, { readonly topic: string; readonly partition: number; offset: number }> | null = null;
  private topics: readonly string[] = [];
  private memberId: string | null = null;
  private generation = -1;
  private failures = 0;
  private eachBatch: EachBatch = () => Promise.resolve();
  private cancelTimer = (): void => undefined;
  private isClosed = false;

  constructor(
    private readonly config: MemberConfig,
    private readonly dependencies: ClientDependencies,
  ) {}

  on(event: string, listener: Listener): void {
    this.listeners.set(event, listener);
  }

  async connect(): Promise<void> {
    // The first request connects.
  }

  async subscribe({ topics }: ConsumerSubscribeTopics): Promise<void> {
    this.topics = topics.map(String);
  }

  async run({ eachBatch }: { readonly eachBatch: EachBatch }): Promise<void> {
    this.eachBatch = eachBatch;
    void this.sendNext();
  }

  pause(paused: readonly TopicPartitions[]): void {
    for (const { topic, partitions } of paused) for (const partition of partitions) this.paused.add(partitionKeyOf(topic, partition));
  }

  resume(resumed: readonly TopicPartitions[]): void {
    for (const { topic, partitions } of resumed) for (const partition of partitions) this.paused.delete(partitionKeyOf(topic, partition));
  }

  async commitOffsets(committed: readonly TopicPartitionOffset[]): Promise<void> {
    const { memberId, generation, config } = this;
    if (memberId === null) throw new Error('the group is not joined');
    const offsets = committed.map(({ topic, partition, offset }) => ({ topic, partition, offset: Number(offset) }));
    const { broker, link } = this.dependencies;
    await link(`commit ${memberId}`, () => broker.group(config.groupId).commit(memberId, generation, offsets));
  }

  async disconnect(): Promise<void> {
    this.isClosed = true;
    this.cancelTimer();
    const { memberId, config } = this;
    if (memberId === null) return;
    const { broker, link } = this.dependencies;
    await link(`leave ${memberId}`, () => broker.group(config.groupId).leave(memberId));
  }

  private async sendNext(): Promise<void> {
    try {
      const isWaiting = this.next ? await this.fetch([...this.next.values()]) : await this.join();
      this.failures = 0;
      this.sendAfter(isWaiting ? this.config.maxWaitTimeInMs : 0);
    } catch (error) {
      this.recover(error);
    }
  }

  private sendAfter(milliseconds: number): void {
    if (!this.isClosed) this.cancelTimer = this.dependencies.clock.after(milliseconds, () => void this.sendNext());
  }

  private recover(error: unknown): void {
    if (this.isClosed) return;
    const isRemoved = hasErrorType(error, 'UNKNOWN_MEMBER_ID');
    if (isRemoved) this.memberId = null;
    if (isRemoved || hasErrorType(error, 'REBALANCE_IN_PROGRESS') || hasErrorType(error, 'ILLEGAL_GENERATION')) {
      this.next = null;
      this.sendAfter(0);
    } else if (++this.failures < MAX_FAILURES) this.sendAfter(RETRY_PAUSE);
    else this.emit('CRASH', { error });
  }

  /** Joins the group. Returns whether the group waits for other members. */
  private async join(): Promise<boolean> {
    const { memberId, topics, config } = this;
    const { broker, link } = this.dependencies;
    const request = { topics, sessionTimeout: config.sessionTimeout, rebalanceTimeout: config.rebalanceTimeout };
    const joined = await link(`join ${memberId ?? config.groupId}`, () => broker.group(config.groupId).join(memberId, request));
    this.memberId = joined.memberId;
    const { assigned } = joined;
    if (!assigned || this.isClosed) return true;
    this.generation = assigned.generation;
    this.next = new Map(assigned.offsets.map((offset) => [partitionKeyOf(offset.topic, offset.partition), { ...offset }]));
    this.emit('GROUP_JOIN', { memberId: joined.memberId, memberAssignment: assigned.partitions });
    return false;
  }

  /** Fetches messages of the partitions that are not paused. Returns whether there were none. */
  private async fetch(next: readonly { readonly topic: string; readonly partition: number; offset: number }[]): Promise<boolean> {
    const { memberId, generation, config } = this;
    if (memberId === null) throw new Error('the group is not joined');
    const from = next.filter(({ topic, partition }) => !this.paused.has(partitionKeyOf(topic, partition))).map((one) => ({ ...one }));
    const { broker, link } = this.dependencies;
    const fetched = await link(`fetch ${memberId}`, () => {
      broker.group(config.groupId).heartbeat(memberId, generation);
      return from.map((offset) => broker.fetch(offset)).filter(({ nextOffset }, index) => nextOffset > (from[index]?.offset ?? 0));
    });
    for (const batch of fetched) await this.take(batch);
    return fetched.length === 0;
  }

  private async take({ topic, partition, messages, nextOffset }: Fetched): Promise<void> {
    const position = this.next?.get(partitionKeyOf(topic, partition));
    if (!position || this.isClosed) return;
    const lastOffset = String(nextOffset - 1);
    if (messages.length === 0) this.emit('END_BATCH_PROCESS', { topic, partition, batchSize: 0, lastOffset });
    else await this.eachBatch({ batch: { topic, partition, messages, lastOffset: () => lastOffset } } as unknown as EachBatchPayload);
    position.offset = nextOffset;
  }

  private emit(event: keyof SimulatedConsumer['events'], payload: object): void {
    this.listeners.get(this.events[event])?.({ payload });
  }
}
