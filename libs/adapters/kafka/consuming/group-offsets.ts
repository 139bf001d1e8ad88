import type { Admin, Kafka } from 'kafkajs';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { toStoreUnavailable } from '../failures.js';
import { connectPartitionEnds, type CountedMessages, type End, type OffsetRange, type PartitionEnds } from './partition-ends.js';
import { partitionKeyOf, partitionOf } from './partition-progress.js';

type Connections = { readonly admin: Admin; readonly partitionEnds: PartitionEnds };

/** Reads the ends of topics and the committed offsets of groups from the brokers. Connects with the first query. */
export class GroupOffsets {
  private connected: Promise<Connections> | null = null;
  private isClosed = false;

  constructor(
    private readonly kafka: Kafka,
    private readonly topics: readonly string[],
  ) {}

  /**
   * Returns the messages that the group has not handled. Beyond the messages of one megabyte, offsets are counted instead, among
   * which may be control records of transactions. Rejects with StoreUnavailable.
   */
  async lag(groupId: string): Promise<CountedMessages> {
    // An offset before `low` belongs to a record that retention has deleted. Without a commit, the group starts at `low`.
    const [ends, committed] = [await this.readEnds(), await this.committed(groupId)];
    const ranges: OffsetRange[] = [];
    for (const [partitionKey, { low, high }] of ends) {
      const from = Math.max(low, committed.get(partitionKey) ?? 0);
      if (from < high) ranges.push({ ...partitionOf(partitionKey), from, to: high });
    }
    return ranges.length === 0 ? { count: 0, firstAt: null } : this.query(({ partitionEnds }) => partitionEnds.messagesIn(ranges));
  }

  /** Returns the committed offset of each partition that has one, by `topic/partition`. Rejects with StoreUnavailable. */
  committed(groupId: string): Promise<ReadonlyMap<string, number>> {
    return this.query(async ({ admin }) => {
      const committed = new Map<string, number>();
      for (const { topic, partitions } of await admin.fetchOffsets({ groupId, topics: [...this.topics] })) {
        for (const { partition, offset } of partitions)
          if (Number(offset) >= 0) committed.set(partitionKeyOf(topic, partition), Number(offset));
      }
      return committed;
    });
  }

  /** Resolves when a broker responds. Rejects with StoreUnavailable if none does. */
  async ping(): Promise<void> {
    await this.query(({ admin }) => admin.describeCluster());
  }

  /** Closes the connections. Later queries reject, also the next ones of a lag that is being read. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.disconnect();
  }

  private async disconnect(): Promise<void> {
    const connected = this.connected;
    this.connected = null;
    await connected?.then(disconnectFrom).catch(() => undefined);
  }

  /** Returns the first stored offset of each partition that is not empty, and the offset after its last record. */
  private readEnds(): Promise<ReadonlyMap<string, End>> {
    return this.query(({ partitionEnds }) => partitionEnds.of(this.topics));
  }

  private async query<T>(work: (connections: Connections) => Promise<T>): Promise<T> {
    if (this.isClosed) throw new StoreUnavailable('the connections to Kafka are closed');
    const connected = (this.connected ??= this.connect());
    try {
      return await work(await connected);
    } catch (error) {
      // The next query opens a new connection.
      if (this.connected === connected) await this.disconnect();
      throw toStoreUnavailable(error);
    } finally {
      // A query that was under way at the close may have connected to a broker again.
      if (this.isClosed) await connected.then(disconnectFrom).catch(() => undefined);
    }
  }

  private async connect(): Promise<Connections> {
    const admin = this.kafka.admin();
    await admin.connect();
    return { admin, partitionEnds: await connectPartitionEnds(this.kafka) };
  }
}

const disconnectFrom = async ({ admin, partitionEnds }: Connections): Promise<void> => {
  await Promise.all([admin.disconnect(), partitionEnds.close()]);
};
