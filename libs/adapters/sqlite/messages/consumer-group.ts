import { CheckpointTracker } from '../../../eventsourcing/consuming/checkpoint-tracker.js';
import { MessageHandling } from '../../../eventsourcing/consuming/message-handling.js';
import { ParkedKeys } from '../../../eventsourcing/consuming/parked-keys.js';
import { Pauses } from '../../../eventsourcing/consuming/pauses.js';
import { STORE_RETRY_DELAY } from '../../../eventsourcing/consuming/retry-policy.js';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import type { Consumer, ConsumerState, MessagePointer } from '../../../eventsourcing/ports/messages.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { yieldToEventLoop } from '../../../eventsourcing/scheduling/yield-to-event-loop.js';
import type { CommitQueue } from '../commits/commit-queue.js';
import type { LogWriter } from '../log/log-writer.js';
import type { ConsumerRecords } from './consumer-records.js';
import { ParkedMessages } from './parked-messages.js';

/** Number of log positions that are read at a time. */
const PAGE_SIZE = 1_000;
/** Reading pauses while this many messages have been read but not handled. */
const MAX_IN_PROGRESS = 10_000;
/**
 * Each commit of events also stores the group's position. If a changed position is still not stored after this many
 * milliseconds, a write of its own stores it.
 */
const MAX_STORE_DELAY = 1_000;

/** Handles one message of a subscription. */
export type Handle = (message: MessagePointer) => Promise<void>;
/** The dependencies of a consumer group. They name only the methods in use, so that a simulation can replace the folder. */
export type GroupDependencies = {
  readonly records: Pick<ConsumerRecords, keyof ConsumerRecords>;
  readonly writer: Pick<LogWriter, 'head' | 'mayContain' | 'onChange'>;
  readonly queue: Pick<CommitQueue, 'write'>;
  readonly clock: Clock;
  readonly log: Log;
};

/** A consumer group: it reads the log from its stored position and distributes messages to its members in turn. */
export class ConsumerGroup {
  private readonly types: readonly string[];
  private readonly tracker: CheckpointTracker;
  private readonly parkedKeys: ParkedKeys;
  private readonly pauses: Pauses;
  private readonly handling: MessageHandling<CheckpointTracker>;
  private readonly stopListening: () => void;
  private readonly handles: Handle[] = [];
  private handledCount = 0;
  private isStoreScheduled = false;
  private isReading = false;
  private stopping: Promise<void> | null = null;

  constructor(
    readonly name: string,
    private readonly consumer: Pick<Consumer, 'types' | 'currentTypes'>,
    private readonly dependencies: GroupDependencies,
  ) {
    this.types = [...consumer.types].sort();
    const start = dependencies.records.position(name);
    this.tracker = new CheckpointTracker(start);
    this.parkedKeys = new ParkedKeys(name, {
      ...dependencies,
      store: new ParkedMessages({ ...dependencies, consumer: name, types: this.types, start }),
    });
    this.pauses = new Pauses(dependencies.clock);
    this.handling = new MessageHandling({
      consumer: { name, types: consumer.types, handle: (pointer) => this.nextHandle()(pointer) },
      parkedKeys: this.parkedKeys,
      pauses: this.pauses,
      log: dependencies.log,
      onFinished: () => this.onMessageFinished(),
    });
    this.stopListening = dependencies.writer.onChange(() => void this.readPages());
  }

  /** Returns whether the group reads exactly these types. All members must subscribe to the same types. */
  hasTypes(types: ReadonlySet<string>): boolean {
    return types.size === this.types.length && this.types.every((type) => types.has(type));
  }

  /** Adds a member. */
  join(handle: Handle): void {
    this.handles.push(handle);
    void this.readPages();
  }

  /** Removes a member, which gets no more messages. Returns whether other members remain. */
  leave(handle: Handle): boolean {
    this.handles.splice(this.handles.indexOf(handle), 1);
    return this.handles.length > 0;
  }

  /** Stops reading, waits for the messages in progress, and stores the position. */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  /** Returns the group's position if it is not stored yet, otherwise null. */
  unstoredPosition(): number | null {
    return this.tracker.unstoredCheckpoint();
  }

  /** Marks `position` as stored. Call it when the position is durable. */
  markStored(position: number): void {
    this.tracker.markStored(position);
  }

  async state(): Promise<ConsumerState> {
    const behind = Math.max(0, this.dependencies.writer.head() - this.tracker.checkpoint());
    return { behind, parked: await this.parkedKeys.count() };
  }

  retryParked(): Promise<number> {
    return this.handling.retryParked();
  }

  private async end(): Promise<void> {
    this.stopListening();
    await this.handling.stop();
    await this.store();
  }

  private async readPages(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    while (
      !this.handling.isStopped() &&
      this.tracker.inHandCount() < MAX_IN_PROGRESS &&
      this.tracker.lastRead() < this.dependencies.writer.head()
    ) {
      try {
        const upTo = Math.min(this.tracker.lastRead() + PAGE_SIZE, this.dependencies.writer.head());
        // `currentTypes` reads a read model. It is called after `upTo` is set, so the read model has all events up to `upTo`.
        this.readPage(upTo, await this.currentTypes());
        await yieldToEventLoop();
      } catch (error) {
        this.dependencies.log.warn({ consumer: this.name, reason: reasonOf(error) }, 'could not read messages; reading is retried');
        await this.pauses.wait(STORE_RETRY_DELAY);
      }
    }
    this.isReading = false;
  }

  private async currentTypes(): Promise<readonly string[]> {
    return this.consumer.currentTypes ? [...(await this.consumer.currentTypes())].sort() : this.types;
  }

  private readPage(upTo: number, types: readonly string[]): void {
    const { records, writer } = this.dependencies;
    const after = this.tracker.lastRead();
    // Most commits have no message for most consumers. `mayContain` avoids a read of the log in that case.
    const pointers = writer.mayContain(types, after) ? records.messages(after, upTo, types) : [];
    this.tracker.readTo(upTo);
    for (const pointer of pointers) this.handling.add(pointer, pointer.position, this.tracker);
    this.scheduleStore();
  }

  private onMessageFinished(): void {
    this.scheduleStore();
    void this.readPages();
  }

  private nextHandle(): Handle {
    const handle = this.handles[this.handledCount++ % this.handles.length];
    if (!handle) throw new StoreUnavailable(`consumer ${this.name} has no subscription`);
    return handle;
  }

  private scheduleStore(): void {
    if (this.isStoreScheduled || this.handling.isStopped() || this.unstoredPosition() === null) return;
    this.isStoreScheduled = true;
    void this.pauses.wait(MAX_STORE_DELAY).then(() => {
      this.isStoreScheduled = false;
      if (!this.handling.isStopped()) return this.store();
    });
  }

  private async store(): Promise<void> {
    const position = this.unstoredPosition();
    if (position === null) return;
    const { queue, records } = this.dependencies;
    try {
      await queue.write([`position ${this.name}`], () => records.storePosition(this.name, position));
      this.markStored(position);
    } catch (error) {
      this.dependencies.log.warn(
        { consumer: this.name, reason: reasonOf(error) },
        'could not store the position of a consumer; storing is retried, and messages may be delivered again',
      );
    }
  }
}
