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
import { yieldToEventLoop } from '../../../eventsourcing/yield-to-event-loop.js';
import type { LogWriter } from '../log/log-writer.js';
import type { ConsumerRecords } from './consumer-records.js';
import { parkedMessages } from './parked-messages.js';

/** Positions read at a time. */
const PAGE = 1_000;
/** The most messages in progress. Reading pauses beyond that. */
const BACKLOG = 10_000;
/** After this time a position that no commit has stored gets its own transaction. */
const STORE_AFTER = 1_000;

export type Handle = (message: MessagePointer) => Promise<void>;
export type GroupParts = { readonly records: ConsumerRecords; readonly writer: LogWriter; readonly clock: Clock; readonly log: Log };

/** A consumer's stored position in the log, and its members, which share the work. */
export class ConsumerGroup {
  private readonly types: readonly string[];
  private readonly tracker: CheckpointTracker;
  private readonly parkedKeys: ParkedKeys;
  private readonly pauses: Pauses;
  private readonly handling: MessageHandling<CheckpointTracker>;
  private readonly stopListening: () => void;
  private readonly handles: Handle[] = [];
  private turns = 0;
  private storing = false;
  private pumping = false;
  private stopping: Promise<void> | null = null;

  constructor(
    readonly name: string,
    private readonly consumer: Pick<Consumer, 'types' | 'currentTypes'>,
    private readonly parts: GroupParts,
  ) {
    this.types = [...consumer.types].sort();
    const start = parts.records.position(name);
    this.tracker = new CheckpointTracker(start);
    this.parkedKeys = new ParkedKeys(name, {
      ...parts,
      store: parkedMessages({ ...parts, consumer: name, types: this.types, start }),
    });
    this.pauses = new Pauses(parts.clock);
    this.handling = new MessageHandling({
      consumer: { name, types: consumer.types, handle: (pointer) => this.nextHandle()(pointer) },
      parkedKeys: this.parkedKeys,
      pauses: this.pauses,
      log: parts.log,
      onFinished: () => this.finished(),
    });
    this.stopListening = parts.writer.onChange(() => void this.pump());
  }

  /** Everyone who shares a position must want the same. */
  wants(types: ReadonlySet<string>): boolean {
    return types.size === this.types.length && this.types.every((type) => types.has(type));
  }

  join(handle: Handle): void {
    this.handles.push(handle);
    void this.pump();
  }

  /** Gives this one no new message; answers whether anyone is left. */
  leave(handle: Handle): boolean {
    this.handles.splice(this.handles.indexOf(handle), 1);
    return this.handles.length > 0;
  }

  /** Takes no new message, waits for those in hand, stores the position. */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  /** The position that should be stored, null when it is. */
  unstored(): number | null {
    return this.tracker.unstoredCheckpoint();
  }

  /** `position` is on the disk. */
  storedAt(position: number): void {
    this.tracker.markStored(position);
  }

  async state(): Promise<ConsumerState> {
    const behind = Math.max(0, this.parts.writer.head() - this.tracker.checkpoint());
    return { behind, parked: await this.parkedKeys.count() };
  }

  retryParked(): Promise<number> {
    return this.handling.retryParked();
  }

  private async end(): Promise<void> {
    this.stopListening();
    await this.handling.stop();
    this.store();
  }

  private async pump(): Promise<void> {
    if (this.pumping) return;
    this.pumping = true;
    while (!this.handling.isStopped() && this.tracker.inHandCount() < BACKLOG && this.tracker.lastRead() < this.parts.writer.head()) {
      try {
        const upTo = Math.min(this.tracker.lastRead() + PAGE, this.parts.writer.head());
        // The types are read after `upTo`, so that the read models already contain all events up to it.
        this.takePage(upTo, await this.currentTypes());
        await yieldToEventLoop();
      } catch (error) {
        this.parts.log.warn({ consumer: this.name, reason: reasonOf(error) }, 'messages cannot be read; reading is retried');
        await this.pauses.wait(STORE_RETRY_DELAY);
      }
    }
    this.pumping = false;
  }

  private async currentTypes(): Promise<readonly string[]> {
    return this.consumer.currentTypes ? [...(await this.consumer.currentTypes())].sort() : this.types;
  }

  private takePage(upTo: number, types: readonly string[]): void {
    const { records, writer } = this.parts;
    const after = this.tracker.lastRead();
    // Most commits have nothing for most consumers.
    const pointers = writer.canHave(types, after) ? records.pointers(after, upTo, types) : [];
    this.tracker.readTo(upTo);
    for (const pointer of pointers) this.handling.add(pointer, pointer.position, this.tracker);
    this.progress();
  }

  private finished(): void {
    this.progress();
    void this.pump();
  }

  private nextHandle(): Handle {
    const handle = this.handles[this.turns++ % this.handles.length];
    if (!handle) throw new StoreUnavailable(`nobody is subscribed to ${this.name}`);
    return handle;
  }

  private progress(): void {
    if (this.storing || this.handling.isStopped() || this.unstored() === null) return;
    this.storing = true;
    void this.pauses.wait(STORE_AFTER).then(() => {
      this.storing = false;
      if (!this.handling.isStopped()) this.store();
    });
  }

  private store(): void {
    const position = this.unstored();
    if (position === null) return;
    try {
      this.parts.records.moveNow(this.name, position);
      this.storedAt(position);
    } catch (error) {
      this.parts.log.warn(
        { consumer: this.name, reason: reasonOf(error) },
        'a position could not be stored; storing is retried, and its messages may be delivered again',
      );
    }
  }
}
