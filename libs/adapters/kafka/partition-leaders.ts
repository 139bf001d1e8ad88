import { Partitioners, type Admin, type PartitionMetadata } from 'kafkajs';

/** Milliseconds for which cached leaders are used. */
const VALID_FOR = 10_000;

/** The partition of a message, and the broker that leads the partition. */
export type Target = { readonly partition: number; readonly leader: number };

/**
 * Chooses the partitions of messages as kafkajs does, and caches the leaders of the partitions. `spread` has the number of
 * partitions among which the partition of a key is chosen, by topic: a key keeps its partition when the topic gets more.
 * Without an entry, all partitions of the topic are used.
 */
export class PartitionLeaders {
  private readonly choose = Partitioners.DefaultPartitioner();
  private readonly partitions = new Map<string, PartitionMetadata[]>();
  private validUntil = 0;

  constructor(
    private readonly admin: Pick<Admin, 'fetchTopicMetadata'>,
    private readonly spread: ReadonlyMap<string, number>,
    /** Milliseconds on a monotonic clock. If the time of day were used, setting it back would prolong the use of cached leaders. */
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  /**
   * Reads the leaders of the partitions of topics, unless they are cached. Rejects for a missing topic, and for one with fewer
   * partitions than its keys are spread over.
   */
  async load(topics: ReadonlySet<string>): Promise<void> {
    const isExpired = this.elapsed() >= this.validUntil;
    if (!isExpired && [...topics].every((topic) => this.partitions.has(topic))) return;
    const wanted = new Set([...this.partitions.keys(), ...topics]);
    const { topics: metadata } = await this.admin.fetchTopicMetadata({ topics: [...wanted] });
    for (const { name, partitions } of metadata) {
      const count = this.spread.get(name) ?? partitions.length;
      if (partitions.length < count)
        throw new Error(`${name} has ${partitions.length} of the ${count} partitions that its keys are spread over`);
      this.partitions.set(
        name,
        partitions.filter(({ partitionId }) => partitionId < count),
      );
    }
    this.validUntil = this.elapsed() + VALID_FOR;
  }

  /**
   * Returns the target of the messages of a key. Call `load` with the topic first. The leader is -1 if the partition has none.
   */
  targetOf(topic: string, key: string): Target {
    const partitionMetadata = this.partitions.get(topic) ?? [];
    const partition = this.choose({ topic, partitionMetadata, message: { key, value: null } });
    return { partition, leader: partitionMetadata.find(({ partitionId }) => partitionId === partition)?.leader ?? -1 };
  }
}
