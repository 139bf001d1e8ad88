import type { Consumer as KafkaConsumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { METADATA_AGE } from '../connection.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import type { Pauses } from '../../../eventsourcing/consuming/pauses.js';

/** Milliseconds between two attempts to join the group. */
const REJOIN_PAUSE = 1_000;
/**
 * Timeouts of a group member in milliseconds. Brokers detect a crashed member after the session timeout, which must be at
 * least 6 s. Other members notice a change of the group with their next heartbeat. Heartbeats are sent between fetches, so
 * a fetch must not wait long for messages (`maxWaitTimeInMs`).
 */
const MEMBER_OPTIONS = { sessionTimeout: 6_000, rebalanceTimeout: 10_000, heartbeatInterval: 500, maxWaitTimeInMs: 250 };

/** A batch of messages of one partition, in order. */
export type FetchedBatch = {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly KafkaMessage[];
  /**
   * The offset after the batch. It can be greater than the last message's offset plus 1, because control records of
   * transactions also have offsets.
   */
  readonly nextOffset: number;
};

/** Receives fetched messages. The methods must return soon, because no heartbeats are sent while they run. */
export type RecordReceiver = {
  /**
   * Called with all partitions of this member. `hasStayed` means that this member was not removed from the group since the
   * previous call. It may have missed a generation of the group, in which other members had its partitions.
   */
  onAssigned(partitions: Readonly<Record<string, readonly number[]>>, hasStayed: boolean): void;
  onFetched(batch: FetchedBatch): void;
};

export type FetchingDependencies = {
  readonly kafka: Pick<Kafka, 'consumer'>;
  readonly groupId: string;
  readonly topics: readonly string[];
  /** Creates missing topics. */
  readonly prepare: () => Promise<void>;
  readonly pauses: Pauses;
  readonly log: Log;
};

export type Offset = { readonly topic: string; readonly partition: number; readonly offset: number };

/**
 * Joins a consumer group and fetches messages until `stop` is called. After every crash of a kafkajs consumer, this class
 * joins again with a new consumer. kafkajs would restart a consumer only after some errors, so its own restarts are off.
 */
export class Fetching {
  private consumer: KafkaConsumer | null = null;
  private memberId: string | null = null;
  private running: Promise<void> | null = null;
  private endRun = (): void => undefined;
  private stopped = false;
  private isFailing = false;

  constructor(
    private readonly dependencies: FetchingDependencies,
    private readonly receiver: RecordReceiver,
  ) {}

  /** Resolves when the group is joined, or when the first attempt has failed. After a failure, more attempts follow. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.running = this.run(resolve);
    });
  }

  pause(topic: string, partition: number): void {
    this.consumer?.pause([{ topic, partitions: [partition] }]);
  }

  resume(topic: string, partition: number): void {
    this.consumer?.resume([{ topic, partitions: [partition] }]);
  }

  /** Stores offsets at the brokers. Rejects if that fails. */
  async commit(offsets: readonly Offset[]): Promise<void> {
    if (!this.consumer) throw new Error('the group is not joined');
    await this.consumer.commitOffsets(offsets.map(({ topic, partition, offset }) => ({ topic, partition, offset: String(offset) })));
  }

  /** Leaves the group. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.endRun();
    await this.running;
  }

  /** Runs one consumer after the other until `stop` is called. Calls `attempted` after each attempt to join. */
  private async run(attempted: () => void): Promise<void> {
    while (!this.stopped) {
      try {
        await this.runOnce(attempted);
      } catch (error) {
        this.warnOnce(error);
      }
      attempted();
      // The next consumer is a new member, whose id is not yet known.
      this.memberId = null;
      if (!this.stopped) await this.dependencies.pauses.wait(REJOIN_PAUSE);
    }
  }

  /** Runs one consumer until it crashes or `stop` is called. Rejects after a crash. */
  private async runOnce(joined: () => void): Promise<void> {
    await this.dependencies.prepare();
    const consumer = this.dependencies.kafka.consumer({
      groupId: this.dependencies.groupId,
      ...MEMBER_OPTIONS,
      allowAutoTopicCreation: false,
      metadataMaxAge: METADATA_AGE,
      retry: { restartOnFailure: () => Promise.resolve(false) },
    });
    try {
      const ended = this.endOf(consumer);
      this.listen(consumer, joined);
      await consumer.connect();
      await consumer.subscribe({ topics: [...this.dependencies.topics], fromBeginning: true });
      this.consumer = consumer;
      await consumer.run({ autoCommit: false, eachBatch: (payload) => this.take(payload) });
      await ended;
    } finally {
      this.consumer = null;
      await consumer.disconnect().catch(() => undefined);
    }
  }

  /** Resolves when `stop` is called, and rejects when the consumer crashes. */
  private endOf(consumer: KafkaConsumer): Promise<void> {
    const ended = new Promise<void>((resolve, reject) => {
      this.endRun = resolve;
      if (this.stopped) resolve();
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    });
    // Avoids an unhandled rejection, because the promise may reject before `runOnce` awaits it.
    ended.catch(() => undefined);
    return ended;
  }

  private listen(consumer: KafkaConsumer, joined: () => void): void {
    const { receiver } = this;
    consumer.on(consumer.events.GROUP_JOIN, ({ payload: { memberId, memberAssignment } }) => {
      if (this.isFailing) this.dependencies.log.info({ group: this.dependencies.groupId }, 'messages can be read again');
      this.isFailing = false;
      // A new id means that this member was removed from the group. Other members may meanwhile have handled messages of
      // its partitions.
      receiver.onAssigned(memberAssignment, memberId === this.memberId);
      this.memberId = memberId;
      joined();
    });
    // kafkajs delivers no batch that has only control records or aborted messages. The position must nevertheless move past
    // the offsets of such a batch.
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { topic, partition, batchSize, lastOffset } }) => {
      if (batchSize === 0) receiver.onFetched({ topic, partition, messages: [], nextOffset: Number(lastOffset) + 1 });
    });
  }

  private async take({ batch }: EachBatchPayload): Promise<void> {
    const { topic, partition, messages } = batch;
    this.receiver.onFetched({ topic, partition, messages, nextOffset: Number(batch.lastOffset()) + 1 });
  }

  private warnOnce(error: unknown): void {
    if (this.isFailing || this.stopped) return;
    this.isFailing = true;
    this.dependencies.log.warn(
      { group: this.dependencies.groupId, reason: reasonOf(error) },
      'messages cannot be read; reading is retried',
    );
  }
}
