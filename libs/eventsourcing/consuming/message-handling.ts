import type { Consumer, MessagePointer } from '../ports/messages.port.js';
import type { Log } from '../ports/log.port.js';
import { reasonOf } from '../reason.js';
import type { CheckpointTracker, Taken } from './checkpoint-tracker.js';
import { Lanes } from './lanes.js';
import type { ParkedKeys } from './parked-keys.js';
import type { Pauses } from './pauses.js';
import { tryMessage, tryStoring, type Trying } from './trying.js';

/** Keys handled at the same time. */
const KEYS_IN_HAND = 64;

export type HandlingParts<Tracker extends CheckpointTracker> = {
  readonly consumer: Pick<Consumer, 'name' | 'types' | 'handle'>;
  readonly parkedKeys: ParkedKeys;
  /** Ended when the handling is stopped. */
  readonly pauses: Pauses;
  readonly log: Log;
  /** Called when a message was handled, or its key parked: the checkpoint may have moved. */
  readonly finished: (tracker: Tracker) => void;
};

type InHand<Tracker> = { readonly pointer: MessagePointer; readonly tracker: Tracker; readonly taken: Taken };

/**
 * What a consumer does with the messages that an adapter takes for it: they are handled in order per key and side by side across
 * keys; one that fails is tried again, and in the end its key is parked, so that the rest goes on.
 */
export class MessageHandling<Tracker extends CheckpointTracker> {
  private readonly lanes = new Lanes<InHand<Tracker>>(KEYS_IN_HAND, (item) => this.work(item));
  private retrying: Promise<number> | null = null;
  private stopped = false;

  constructor(private readonly parts: HandlingParts<Tracker>) {}

  isStopped(): boolean {
    return this.stopped;
  }

  /** Takes a message that stands at `position` of what is tracked, later ones after earlier ones. */
  add(pointer: MessagePointer, position: number, tracker: Tracker): void {
    this.lanes.add(pointer.key, { pointer, tracker, taken: tracker.take(position) });
  }

  /** Starts nothing more; resolves when nothing is in hand. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.parts.pauses.end();
    await this.lanes.stop();
    await this.retrying;
  }

  /** Tries every parked key again, in order; answers how many keys came free. */
  retryParked(): Promise<number> {
    this.retrying ??= this.retryAll().finally(() => (this.retrying = null));
    return this.retrying;
  }

  private async work(item: InHand<Tracker>): Promise<void> {
    const { pointer, tracker, taken } = item;
    const tried = await tryMessage(() => this.handle(pointer), this.trying(item, 'a message failed; it will be tried again'));
    if (tried.kind === 'dropped') return;
    if (tried.kind === 'failed' && !(await this.park(item, reasonOf(tried.error)))) return;
    tracker.finish(taken);
    this.parts.finished(tracker);
  }

  /** Later messages of a parked key wait; a retry reads them from the log. */
  private async handle(pointer: MessagePointer): Promise<void> {
    const waits = this.parts.parkedKeys.keepsWaiting(pointer);
    // Not even a turn of the event loop is spent on it where nothing waits: this runs for every message.
    if (waits === false || !(await waits)) await this.parts.consumer.handle(pointer);
  }

  /** Until it is no longer this process's to do. */
  private trying({ pointer: { stream, revision, type }, tracker }: InHand<Tracker>, words: string): Trying {
    const { consumer, log, pauses } = this.parts;
    return {
      goesOn: () => !this.stopped && !tracker.lost,
      failed: (error) => log.warn({ consumer: consumer.name, stream, revision, type, reason: reasonOf(error) }, words),
      wait: (milliseconds) => this.lanes.aside(pauses.wait(milliseconds)),
    };
  }

  /** Durable before the checkpoint may pass the message; answers false when it is no longer this process's to do. */
  private park(item: InHand<Tracker>, reason: string): Promise<boolean> {
    const trying = this.trying(item, 'a key could not be parked; it will be tried again');
    return tryStoring(() => this.parts.parkedKeys.park(item.pointer, reason), trying);
  }

  private async retryAll(): Promise<number> {
    const { consumer, parkedKeys } = this.parts;
    const retry = {
      goesOn: () => !this.stopped,
      handle: async (pointer: MessagePointer) => (consumer.types.has(pointer.type) ? consumer.handle(pointer) : undefined),
    };
    let freed = 0;
    for (const parked of await parkedKeys.all()) {
      if (this.stopped) break;
      if (await parkedKeys.retry(parked, retry)) freed++;
    }
    return freed;
  }
}
