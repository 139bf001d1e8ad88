import { MessageHandling } from '../../../eventsourcing/consuming/message-handling.js';
import type { ParkedKeys } from '../../../eventsourcing/consuming/parked-keys.js';
import type { Pauses } from '../../../eventsourcing/consuming/pauses.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import type { Consumer, ConsumerState, Subscription } from '../../../eventsourcing/ports/messages.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { pointerOf } from '../records.js';
import { Fetching, type Fetched, type FetchingParts, type Taker } from './fetching.js';
import type { GroupOffsets } from './group-offsets.js';
import { PartitionProgress, placeOf } from './partition-progress.js';

/** Messages of a partition taken and not yet passed: with more it is paused, and goes on with half of them. */
const BACKLOG = 5_000;
/** Between two times that offsets are stored: messages handled in between may come again after a kill, as they may at any time. */
const COMMIT_EVERY = 250;
/** Between two tries to store offsets. */
const COMMIT_PAUSE = 1_000;

export type MemberParts = Omit<FetchingParts, 'log'> & {
  readonly parkedKeys: ParkedKeys;
  readonly offsets: GroupOffsets;
  readonly pauses: Pauses;
  readonly log: Log;
};

/** One of those who share the work of a consumer: takes what its partitions bring, and stores how far it has come. */
export class GroupMember implements Subscription, Taker {
  private readonly fetching: Fetching;
  private readonly handling: MessageHandling<PartitionProgress>;
  private readonly paused = new Set<PartitionProgress>();
  private partitions = new Map<string, PartitionProgress>();
  private committing: Promise<void> | null = null;
  private stopping: Promise<void> | null = null;

  constructor(
    readonly consumer: Consumer,
    private readonly parts: MemberParts,
  ) {
    this.fetching = new Fetching(parts, this);
    this.handling = new MessageHandling({ ...parts, consumer, onFinished: (progress) => this.finished(progress) });
  }

  /** Resolves when the group is joined, or could not be joined for the first time. */
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

  /** Of the whole group, by what it has stored. */
  async state(): Promise<ConsumerState> {
    const { offsets, groupId, parkedKeys } = this.parts;
    return { behind: await offsets.lag(groupId), parked: await parkedKeys.count() };
  }

  assigned(assignment: Readonly<Record<string, readonly number[]>>, again: boolean): void {
    const before = this.partitions;
    this.partitions = new Map();
    for (const [topic, partitions] of Object.entries(assignment)) {
      for (const partition of partitions) {
        const known = again ? before.get(placeOf(topic, partition)) : undefined;
        this.partitions.set(placeOf(topic, partition), known ?? new PartitionProgress(topic, partition));
      }
    }
    // "In-flight work is finished or dropped without committing."
    for (const [place, progress] of before) if (this.partitions.get(place) !== progress) progress.isLost = true;
    this.resumeNew();
    this.parts.parkedKeys.clearCache();
    this.storeProgress();
  }

  fetched({ topic, partition, messages, nextOffset }: Fetched): void {
    const progress = this.partitions.get(placeOf(topic, partition));
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

  /** Takes no new message, waits for those in hand, stores the position. */
  private async end(): Promise<void> {
    await this.handling.stop();
    await this.committing;
    await this.commit();
    await this.fetching.stop();
  }

  private finished(progress: PartitionProgress): void {
    this.resumeIfReady(progress);
    this.storeProgress();
  }

  /** A pause outlives its assignment: one that was for what is lost by now would be for ever. */
  private resumeNew(): void {
    for (const progress of this.paused) if (progress.isLost) this.paused.delete(progress);
    for (const progress of this.partitions.values()) {
      if (!this.paused.has(progress)) this.fetching.resume(progress.topic, progress.partition);
    }
  }

  private pauseIfFull(progress: PartitionProgress): void {
    if (progress.inHandCount() < BACKLOG || this.paused.has(progress)) return;
    this.paused.add(progress);
    this.fetching.pause(progress.topic, progress.partition);
  }

  private resumeIfReady(progress: PartitionProgress): void {
    if (progress.inHandCount() > BACKLOG / 2 || !this.paused.delete(progress)) return;
    this.fetching.resume(progress.topic, progress.partition);
  }

  private unstored(): readonly PartitionProgress[] {
    return [...this.partitions.values()].filter((progress) => progress.unstoredCheckpoint() !== null);
  }

  /** One at a time: what moves meanwhile is stored with the next. */
  private storeProgress(): void {
    if (this.committing || this.handling.isStopped() || this.unstored().length === 0) return;
    this.committing = this.commit()
      .then((stored) => this.parts.pauses.wait(stored ? COMMIT_EVERY : COMMIT_PAUSE))
      .then(() => {
        this.committing = null;
        this.storeProgress();
      });
  }

  /** Kafka is told the next offset. Answers false when the offsets could not be stored: their messages may come again. */
  private async commit(): Promise<boolean> {
    const moved = this.unstored().map((progress) => ({ progress, position: progress.checkpoint() }));
    if (moved.length === 0) return true;
    try {
      await this.fetching.commit(moved.map(({ progress: { topic, partition }, position }) => ({ topic, partition, offset: position + 1 })));
      for (const { progress, position } of moved) progress.markStored(position);
      return true;
    } catch (error) {
      const fields = { consumer: this.consumer.name, reason: reasonOf(error) };
      this.parts.log.warn(fields, 'a position could not be stored; its messages may come again');
      return false;
    }
  }
}
