import { MessageHandling } from '../../../eventsourcing/consuming/message-handling.js';
import type { ParkedKeys } from '../../../eventsourcing/consuming/parked-keys.js';
import type { Pauses } from '../../../eventsourcing/consuming/pauses.js';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import type { Consumer, ConsumerState, Subscription } from '../../../eventsourcing/ports/messages.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { pointerOf } from '../records.js';
import { Fetching, type FetchedBatch, type FetchingDependencies, type RecordReceiver } from './fetching.js';
import type { GroupOffsets } from './group-offsets.js';
import { PartitionProgress, partitionKeyOf } from './partition-progress.js';

/** Number of unfinished messages at which fetching from a partition is paused. Fetching resumes at half of that number. */
const MAX_BACKLOG = 5_000;
/**
 * Milliseconds between two commits. After a crash, messages that were handled since the last commit are
 * delivered again.
 */
const COMMIT_INTERVAL = 250;
/** Milliseconds before a failed commit is tried again. */
const COMMIT_RETRY_DELAY = 1_000;

export type MemberDependencies = Omit<FetchingDependencies, 'log'> & {
  readonly parkedKeys: ParkedKeys;
  readonly offsets: Pick<GroupOffsets, 'lag' | 'committed'>;
  readonly pauses: Pauses;
  readonly clock: Clock;
  readonly log: Log;
};

/** A member of a consumer's group. It handles the messages of its partitions and stores the positions of the partitions. */
export class GroupMember implements Subscription, RecordReceiver {
  private readonly fetching: Fetching;
  private readonly handling: MessageHandling<PartitionProgress>;
  private readonly paused = new Set<PartitionProgress>();
  private partitions = new Map<string, PartitionProgress>();
  /** The partitions that this member has kept over the last rebalance, and whose stored positions it has not read since. */
  private kept = new Set<PartitionProgress>();
  private committing: Promise<void> | null = null;
  private stopping: Promise<void> | null = null;

  constructor(
    readonly consumer: Consumer,
    private readonly dependencies: MemberDependencies,
  ) {
    this.fetching = new Fetching(dependencies, this);
    this.handling = new MessageHandling({ ...dependencies, consumer, onFinished: (progress) => this.onFinished(progress) });
  }

  /** Resolves when the group is joined, or the first attempt has failed. */
  start(): Promise<void> {
    return this.fetching.start();
  }

  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  retryParked(): Promise<number> {
    return this.handling.retryParked();
  }

  isStopped(): boolean {
    return this.handling.isStopped();
  }

  /** Returns the state of the whole group, from its stored positions. */
  async state(): Promise<ConsumerState> {
    const { offsets, groupId, parkedKeys, clock } = this.dependencies;
    const { count, firstAt } = await offsets.lag(groupId);
    const age = firstAt === null ? {} : { behindSeconds: Math.max(0, clock.now().getTime() - firstAt) / 1_000 };
    return { behind: count, ...age, parked: await parkedKeys.count() };
  }

  onAssigned(assignment: Readonly<Record<string, readonly number[]>>, hasStayed: boolean): void {
    const before = this.partitions;
    const kept = (this.kept = new Set());
    this.partitions = new Map();
    for (const [topic, partitions] of Object.entries(assignment)) {
      for (const partition of partitions) {
        const earlier = hasStayed ? before.get(partitionKeyOf(topic, partition)) : undefined;
        if (earlier) kept.add(earlier);
        this.partitions.set(partitionKeyOf(topic, partition), earlier ?? new PartitionProgress(topic, partition));
      }
    }
    // Another member may own the lost partitions now. This member finishes or drops their messages in progress, and stores
    // no position for them.
    for (const [partitionKey, progress] of before) if (this.partitions.get(partitionKey) !== progress) progress.isLost = true;
    this.resumeNew();
    this.dependencies.parkedKeys.clearCache();
    this.storeProgress();
  }

  onFetched({ topic, partition, messages, nextOffset }: FetchedBatch): void {
    const progress = this.partitions.get(partitionKeyOf(topic, partition));
    if (!progress || this.handling.isStopped()) return;
    for (const message of messages) {
      const offset = Number(message.offset);
      const pointer = progress.isNew(offset) ? pointerOf(message) : null;
      if (!pointer || !this.consumer.types.has(pointer.type)) continue;
      this.handling.add(pointer, offset, progress);
    }
    progress.readBefore(nextOffset);
    this.pauseIfFull(progress);
    this.storeProgress();
  }

  /** Takes no more messages, waits for the messages in progress, and stores the positions. */
  private async end(): Promise<void> {
    await this.handling.stop();
    await this.committing;
    await this.commit();
    await this.fetching.stop();
  }

  private onFinished(progress: PartitionProgress): void {
    this.resumeIfReady(progress);
    this.storeProgress();
  }

  /**
   * Resumes the partitions that are not in `paused`. When this member loses a paused partition, kafkajs keeps the
   * partition paused. Without this call, the partition would still be paused when this member gets it again.
   */
  private resumeNew(): void {
    for (const progress of this.paused) if (progress.isLost) this.paused.delete(progress);
    for (const progress of this.partitions.values()) {
      if (!this.paused.has(progress)) this.fetching.resume(progress.topic, progress.partition);
    }
  }

  private pauseIfFull(progress: PartitionProgress): void {
    if (progress.inHandCount() < MAX_BACKLOG || this.paused.has(progress)) return;
    this.paused.add(progress);
    this.fetching.pause(progress.topic, progress.partition);
  }

  private resumeIfReady(progress: PartitionProgress): void {
    if (progress.inHandCount() > MAX_BACKLOG / 2 || !this.paused.delete(progress)) return;
    this.fetching.resume(progress.topic, progress.partition);
  }

  private unstored(): readonly PartitionProgress[] {
    return [...this.partitions.values()].filter((progress) => progress.unstoredCheckpoint() !== null);
  }

  /**
   * Stores positions, one commit at a time. If positions change during a commit, the next commit stores them. The next
   * commit follows after COMMIT_INTERVAL, or after COMMIT_RETRY_DELAY if the commit failed.
   */
  private storeProgress(): void {
    if (this.committing || this.handling.isStopped() || this.unstored().length === 0) return;
    this.committing = this.commit()
      .then((stored) => this.dependencies.pauses.wait(stored ? COMMIT_INTERVAL : COMMIT_RETRY_DELAY))
      .then(() => {
        this.committing = null;
        this.storeProgress();
      });
  }

  /**
   * Takes over the stored positions of the partitions that this member has kept. It may have missed a generation of the group in which
   * another member had them and went further. A commit would then set their positions back, and the messages between would count as
   * not handled until the next start.
   */
  private async compareKept(): Promise<void> {
    const { kept } = this;
    const moved = this.unstored().filter((progress) => kept.has(progress));
    if (moved.length === 0) return;
    const { offsets, groupId } = this.dependencies;
    const committed = await offsets.committed(groupId);
    for (const progress of moved) {
      progress.markStored((committed.get(partitionKeyOf(progress.topic, progress.partition)) ?? 0) - 1);
      kept.delete(progress);
    }
  }

  /** Commits, for each partition, the offset that follows its checkpoint. Returns false if the commit failed. */
  private async commit(): Promise<boolean> {
    try {
      await this.compareKept();
      const moved = this.unstored().map((progress) => ({ progress, position: progress.checkpoint() }));
      if (moved.length === 0) return true;
      await this.fetching.commit(moved.map(({ progress: { topic, partition }, position }) => ({ topic, partition, offset: position + 1 })));
      for (const { progress, position } of moved) progress.markStored(position);
      return true;
    } catch (error) {
      const fields = { consumer: this.consumer.name, reason: reasonOf(error) };
      this.dependencies.log.warn(fields, 'positions could not be stored; storing is retried, and some messages may be delivered again');
      return false;
    }
  }
}
