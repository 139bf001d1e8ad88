import { CheckpointTracker, type Taken } from '../../../eventsourcing/consuming/checkpoint-tracker.js';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { Consumer, MessagePointer } from '../../../eventsourcing/ports/messages.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import type { LogWriter } from '../log/log-writer.js';
import { turn } from '../../../eventsourcing/turn.js';
import type { ConsumerRecords, LoggedPointer, ParkedMessage } from './consumer-records.js';
import { Lanes } from '../../../eventsourcing/consuming/lanes.js';
import { ParkedKeys, type Waiting } from './parked-keys.js';
import { Pauses } from '../../../eventsourcing/consuming/pauses.js';
import { STORE_PAUSE, tryMessage, tryStoring, type Trying } from '../../../eventsourcing/consuming/trying.js';

/** Keys handled at the same time. */
const KEYS_IN_HAND = 64;
/** Positions read at a time. */
const PAGE = 1_000;
/** Messages taken and not yet passed by the position: reading stops until some are dealt with. */
const BACKLOG = 10_000;
/** A position that no commit has taken along is stored by itself after this time. */
const STORE_AFTER = 1_000;

export type Handle = (message: MessagePointer) => Promise<void>;
export type GroupParts = { readonly records: ConsumerRecords; readonly writer: LogWriter; readonly clock: Clock; readonly log: Log };

type InHand = { readonly pointer: LoggedPointer; readonly taken: Taken };

/** One stored position over the log, and everyone who shares the work behind it. */
export class ConsumerGroup {
  private readonly types: readonly string[];
  private readonly parkedKeys: ParkedKeys;
  private readonly lanes = new Lanes<InHand>(KEYS_IN_HAND, (item) => this.deal(item));
  private readonly pauses: Pauses;
  private readonly tracker: CheckpointTracker;
  private readonly settling = new Set<() => void>();
  private readonly stopListening: () => void;
  private readonly handles: Handle[] = [];
  private turns = 0;
  private storing = false;
  private pumping = false;
  private stopped = false;
  private stopping: Promise<void> | null = null;
  private retrying: Promise<number> | null = null;

  constructor(
    readonly name: string,
    private readonly consumer: Pick<Consumer, 'types' | 'typesNow'>,
    private readonly parts: GroupParts,
  ) {
    this.types = [...consumer.types].sort();
    this.tracker = new CheckpointTracker(parts.records.position(name));
    this.pauses = new Pauses(parts.clock);
    this.parkedKeys = new ParkedKeys(name, parts);
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
    return this.tracker.unstored();
  }

  /** `position` is on the disk. */
  storedAt(position: number): void {
    this.tracker.storedAt(position);
  }

  parked(): readonly ParkedMessage[] {
    return this.parkedKeys.all();
  }

  settled(): Promise<void> {
    const target = this.parts.writer.head();
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (this.tracker.checkpoint() >= target) resolve();
        else if (this.stopped)
          reject(new StoreUnavailable(`the subscription ${this.name} was stopped before it had dealt with everything`));
        else return;
        this.settling.delete(look);
      };
      this.settling.add(look);
      look();
    });
  }

  retryParked(): Promise<number> {
    this.retrying ??= this.retryAll().finally(() => (this.retrying = null));
    return this.retrying;
  }

  private async end(): Promise<void> {
    this.stopped = true;
    this.stopListening();
    this.pauses.end();
    await this.lanes.stop();
    await this.retrying;
    this.store();
    this.progress();
  }

  private async pump(): Promise<void> {
    if (this.pumping) return;
    this.pumping = true;
    while (!this.stopped && this.tracker.open() < BACKLOG && this.tracker.readSoFar() < this.parts.writer.head()) {
      try {
        const upTo = Math.min(this.tracker.readSoFar() + PAGE, this.parts.writer.head());
        // Asked after it is said how far is read: what is recorded by then, the read models show.
        this.takePage(upTo, await this.typesNow());
        await turn();
      } catch (error) {
        this.parts.log.warn({ consumer: this.name, reason: reasonOf(error) }, 'messages cannot be read; it will be tried again');
        await this.pauses.wait(STORE_PAUSE);
      }
    }
    this.pumping = false;
  }

  private async typesNow(): Promise<readonly string[]> {
    return this.consumer.typesNow ? [...(await this.consumer.typesNow())].sort() : this.types;
  }

  private takePage(upTo: number, types: readonly string[]): void {
    const { records, writer } = this.parts;
    const after = this.tracker.readSoFar();
    // Most commits have nothing for most consumers.
    const pointers = writer.mayHave(types, after) ? records.pointers(after, upTo, types) : [];
    this.tracker.readTo(upTo);
    for (const pointer of pointers) {
      // Later messages of a parked key wait; a retry reads them from the log.
      if (!this.parkedKeys.has(pointer.key)) this.lanes.add(pointer.key, { pointer, taken: this.tracker.take(pointer.position) });
    }
    this.progress();
  }

  private async deal({ pointer, taken }: InHand): Promise<void> {
    const tried = await tryMessage(() => this.handle(pointer), this.trying(pointer, 'a message failed; it will be tried again'));
    if (tried.kind === 'dropped') return;
    if (tried.kind === 'failed') {
      if (!(await this.park(pointer, reasonOf(tried.error)))) return;
      for (const waiting of this.lanes.takeRest(pointer.key)) this.tracker.finish(waiting.taken);
    }
    this.tracker.finish(taken);
    this.progress();
    void this.pump();
  }

  private trying({ stream, revision, type }: LoggedPointer, words: string): Trying {
    return {
      goesOn: () => !this.stopped,
      failed: (error) => this.parts.log.warn({ consumer: this.name, stream, revision, type, reason: reasonOf(error) }, words),
      wait: (milliseconds) => this.lanes.aside(this.pauses.wait(milliseconds)),
    };
  }

  private async handle({ stream, revision, type, key, tenant, position }: LoggedPointer): Promise<void> {
    const handle = this.handles[this.turns++ % this.handles.length];
    if (!handle) throw new StoreUnavailable(`nobody is subscribed to ${this.name}`);
    await handle({ stream, revision, type, key, tenant, position });
  }

  /** On the disk before the position may pass the message; answers false when stopping came first. */
  private park(pointer: LoggedPointer, reason: string): Promise<boolean> {
    const trying = this.trying(pointer, 'a key could not be parked; it will be tried again');
    return tryStoring(() => this.parkedKeys.park(pointer, reason), trying);
  }

  private async retryAll(): Promise<number> {
    const waiting: Waiting = {
      next: (stream, revision) =>
        this.stopped ? 'stopped' : this.parts.records.next(stream, revision, this.tracker.readSoFar(), this.types),
      handle: (pointer) => this.handle(pointer),
    };
    let freed = 0;
    for (const parked of this.parkedKeys.all()) if (await this.parkedKeys.retry(parked, waiting)) freed++;
    return freed;
  }

  private progress(): void {
    for (const look of [...this.settling]) look();
    if (this.storing || this.stopped || this.unstored() === null) return;
    this.storing = true;
    void this.pauses.wait(STORE_AFTER).then(() => {
      this.storing = false;
      if (!this.stopped) this.store();
    });
  }

  private store(): void {
    const position = this.unstored();
    if (position === null) return;
    try {
      this.parts.records.moveNow(this.name, position);
      this.storedAt(position);
    } catch (error) {
      this.parts.log.warn({ consumer: this.name, reason: reasonOf(error) }, 'a position could not be stored; its messages may come again');
    }
  }
}
