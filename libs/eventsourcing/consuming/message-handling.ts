import type { Consumer, MessagePointer } from '../ports/messages.port.js';
import type { Log } from '../ports/log.port.js';
import { reasonOf } from '../reason.js';
import type { CheckpointTracker, MessageInHand } from './checkpoint-tracker.js';
import { KeyedWorkerPool } from './keyed-worker-pool.js';
import type { ParkedKeys } from './parked-keys.js';
import type { Pauses } from './pauses.js';
import { handleWithRetries, storeWithRetries, type RetryPolicy } from './retry-policy.js';

/** Maximum number of keys that are handled at the same time. */
const CONCURRENT_KEYS = 64;

export type HandlingDependencies<Tracker extends CheckpointTracker> = {
  readonly consumer: Pick<Consumer, 'name' | 'types' | 'handle'>;
  readonly parkedKeys: ParkedKeys;
  /** The pauses before retries. They end when the handling is stopped. */
  readonly pauses: Pauses;
  readonly log: Log;
  /** Called after a message was handled or its key was parked, because the checkpoint may have moved. */
  readonly onFinished: (tracker: Tracker) => void;
};

type ItemInHand<Tracker> = { readonly pointer: MessagePointer; readonly tracker: Tracker; readonly taken: MessageInHand };

/**
 * Handles the messages that an adapter takes for a consumer: in order within a key, concurrently across keys.
 * If a message fails, it is retried a few times. If the last attempt fails too, its key is parked: all messages of the key wait
 * for `retryParked`. Messages of other keys continue.
 */
export class MessageHandling<Tracker extends CheckpointTracker> {
  private readonly pool = new KeyedWorkerPool<ItemInHand<Tracker>>(CONCURRENT_KEYS, (item) => this.work(item));
  private retrying: Promise<number> | null = null;
  private stopped = false;

  constructor(private readonly dependencies: HandlingDependencies<Tracker>) {}

  isStopped(): boolean {
    return this.stopped;
  }

  /** Takes a message at this position. Positions must ascend. */
  add(pointer: MessagePointer, position: number, tracker: Tracker): void {
    this.pool.add(pointer.key, { pointer, tracker, taken: tracker.take(position) });
  }

  /** Starts no more work. Resolves when the current attempts, and a running `retryParked`, have ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.dependencies.pauses.end();
    await this.pool.stop();
    await this.retrying;
  }

  /**
   * Retries every parked key, the longest parked first. Returns the number of keys that are no longer parked. A call during
   * a retry returns the result of that retry.
   */
  retryParked(): Promise<number> {
    this.retrying ??= this.retryAll().finally(() => (this.retrying = null));
    return this.retrying;
  }

  private async work(item: ItemInHand<Tracker>): Promise<void> {
    const { pointer, tracker, taken } = item;
    const outcome = await handleWithRetries(() => this.handle(pointer), this.retryPolicy(item, 'a message failed; it will be retried'));
    if (outcome.kind === 'dropped') return;
    if (outcome.kind === 'failed' && !(await this.park(item, reasonOf(outcome.error)))) return;
    tracker.finish(taken);
    this.dependencies.onFinished(tracker);
  }

  /** Handles a message. If its key is parked, only records that the message waits: the next retry of the key handles it. */
  private async handle(pointer: MessagePointer): Promise<void> {
    const waits = this.dependencies.parkedKeys.addWaitingIfParked(pointer);
    // This method runs for every message. To stay fast, it awaits `waits` only if the key may be parked.
    if (waits === false || !(await waits)) await this.dependencies.consumer.handle(pointer);
  }

  /** Returns the policy for one message: retry until the handling stops or another process takes over the partition. */
  private retryPolicy({ pointer: { stream, revision, type }, tracker }: ItemInHand<Tracker>, message: string): RetryPolicy {
    const { consumer, log, pauses } = this.dependencies;
    return {
      shouldContinue: () => !this.stopped && !tracker.isLost,
      onFailure: (error) => log.warn({ consumer: consumer.name, stream, revision, type, reason: reasonOf(error) }, message),
      wait: (milliseconds) => this.pool.releaseWhile(pauses.wait(milliseconds)),
    };
  }

  /**
   * Parks the key of a message. The parked key is stored before the checkpoint passes the message. Returns false if the
   * handling stopped, or another process took over the partition, before the key was stored.
   */
  private park(item: ItemInHand<Tracker>, reason: string): Promise<boolean> {
    const policy = this.retryPolicy(item, 'a key could not be parked; it will be retried');
    return storeWithRetries(() => this.dependencies.parkedKeys.park(item.pointer, reason), policy);
  }

  private async retryAll(): Promise<number> {
    const { consumer, parkedKeys } = this.dependencies;
    const retry = {
      shouldContinue: () => !this.stopped,
      handle: async (pointer: MessagePointer) => (consumer.types.has(pointer.type) ? consumer.handle(pointer) : undefined),
    };
    let released = 0;
    for (const parked of await parkedKeys.all()) {
      if (this.stopped) break;
      if (await parkedKeys.retry(parked, retry)) released++;
    }
    return released;
  }
}
