import type { Consumer as KafkaConsumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { reasonOf } from '../../../eventsourcing/reason.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import type { Pauses } from '../../../eventsourcing/consuming/pauses.js';

/** Between two tries to join the group. */
const REJOIN_PAUSE = 1_000;
/**
 * A member that is gone is noticed after the session's time (the least that brokers allow), one that came or left within
 * a heartbeat. Heartbeats are sent between fetches, so a fetch must not wait long for messages to come.
 */
const TIMES = { sessionTimeout: 6_000, rebalanceTimeout: 10_000, heartbeatInterval: 500, maxWaitTimeInMs: 250 };

/** Some messages of one partition, in order. */
export type Fetched = {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly KafkaMessage[];
  /** Where the next messages begin: transactions' own records are no messages, and count. */
  readonly nextOffset: number;
};

/** Who takes what is fetched. Nothing here may wait: heartbeats would not be sent meanwhile. */
export type Taker = {
  /** The partitions that are this member's from now on; all others are not. `again` says that it may keep what it knows of them. */
  assigned(partitions: Readonly<Record<string, readonly number[]>>, again: boolean): void;
  fetched(batch: Fetched): void;
};

export type FetchingParts = {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  /** Sees to it that the topics are there. */
  readonly prepare: () => Promise<void>;
  readonly pauses: Pauses;
  readonly log: Log;
};

export type Offset = { readonly topic: string; readonly partition: number; readonly offset: number };

/**
 * A member of a consumer group: joins it, fetches, and joins again whenever kafkajs gives up, as long as it is not
 * stopped. Every such crash ends the same way, with a new consumer, whatever kafkajs would have restarted by itself.
 */
export class Fetching {
  private consumer: KafkaConsumer | null = null;
  private memberId: string | null = null;
  private running: Promise<void> | null = null;
  private endRun = (): void => undefined;
  private stopped = false;
  private failing = false;

  constructor(
    private readonly parts: FetchingParts,
    private readonly taker: Taker,
  ) {}

  /** Resolves when the group is joined, or could not be joined for the first time: then it goes on trying. */
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

  /** Rejects when they could not be stored. */
  async commit(offsets: readonly Offset[]): Promise<void> {
    if (!this.consumer) throw new Error('the group is not joined');
    await this.consumer.commitOffsets(offsets.map(({ offset, ...place }) => ({ ...place, offset: String(offset) })));
  }

  /** Leaves the group. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.endRun();
    await this.running;
  }

  private async run(tried: () => void): Promise<void> {
    while (!this.stopped) {
      try {
        await this.runOnce(tried);
      } catch (error) {
        this.sayOnce(error);
      }
      tried();
      this.memberId = null;
      if (!this.stopped) await this.parts.pauses.wait(REJOIN_PAUSE);
    }
  }

  /** Rejects when it ends for another reason than being stopped. */
  private async runOnce(joined: () => void): Promise<void> {
    await this.parts.prepare();
    const consumer = this.parts.kafka.consumer({
      groupId: this.parts.groupId,
      ...TIMES,
      allowAutoTopicCreation: false,
      retry: { restartOnFailure: () => Promise.resolve(false) },
    });
    try {
      const ended = this.endOf(consumer);
      this.listen(consumer, joined);
      await consumer.connect();
      await consumer.subscribe({ topics: [...this.parts.topics], fromBeginning: true });
      this.consumer = consumer;
      await consumer.run({ autoCommit: false, eachBatch: (payload) => this.take(payload) });
      await ended;
    } finally {
      this.consumer = null;
      await consumer.disconnect().catch(() => undefined);
    }
  }

  private endOf(consumer: KafkaConsumer): Promise<void> {
    const ended = new Promise<void>((resolve, reject) => {
      this.endRun = resolve;
      if (this.stopped) resolve();
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    });
    // It may end before anyone waits for it.
    ended.catch(() => undefined);
    return ended;
  }

  private listen(consumer: KafkaConsumer, joined: () => void): void {
    const { taker } = this;
    consumer.on(consumer.events.GROUP_JOIN, ({ payload: { memberId, memberAssignment } }) => {
      if (this.failing) this.parts.log.info({ group: this.parts.groupId }, 'messages come again');
      this.failing = false;
      // Who was thrown out of the group and comes back under another id does not know what others did meanwhile.
      taker.assigned(memberAssignment, memberId === this.memberId);
      this.memberId = memberId;
      joined();
    });
    // Nothing but transactions' own records (or messages rolled back) is never handed out; it has to be passed too.
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { topic, partition, batchSize, lastOffset } }) => {
      if (batchSize === 0) taker.fetched({ topic, partition, messages: [], nextOffset: Number(lastOffset) + 1 });
    });
  }

  private async take({ batch }: EachBatchPayload): Promise<void> {
    const { topic, partition, messages } = batch;
    this.taker.fetched({ topic, partition, messages, nextOffset: Number(batch.lastOffset()) + 1 });
  }

  private sayOnce(error: unknown): void {
    if (this.failing || this.stopped) return;
    this.failing = true;
    this.parts.log.warn({ group: this.parts.groupId, reason: reasonOf(error) }, 'messages cannot be read; reading is retried');
  }
}
