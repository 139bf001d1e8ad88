import type { Clock } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Consumer, MessagePointer, ParkedKey } from '../ports/messages.port.js';
import { reasonOf } from '../reason.js';

/** Stores the parked keys of one consumer, and for each key the messages that wait for its retry. */
export interface ParkedKeyStore {
  /** Returns every parked key, the longest parked first. */
  all(): Promise<readonly ParkedKey[]>;
  count(): Promise<number>;
  /** Stores a parked key. The write is durable when the promise resolves. */
  put(parked: ParkedKey): Promise<void>;
  /** Records that a message waits for the retry of its key. Returns false if the key is no longer parked. */
  addWaiting(pointer: MessagePointer): Promise<boolean>;
  /**
   * Returns a page of the waiting messages of a key, in order, from a revision on. Returns `[]` if no more messages are
   * waiting.
   */
  readWaiting(key: string, fromRevision: number): Promise<readonly MessagePointer[]>;
  /**
   * Releases a key whose messages are handled up to the revision `last`. Returns false and releases nothing if a later
   * message waits.
   */
  release(key: string, last: number): Promise<boolean>;
}

export type ParkedKeysDependencies = { readonly store: ParkedKeyStore; readonly clock: Clock; readonly log: Log };

/** How a retry handles each waiting message of a parked key, and whether it continues with the next message. */
export type KeyRetry = Pick<Consumer, 'handle'> & { readonly shouldContinue: () => boolean };

/** The parked keys of one consumer. A message that failed repeatedly parks its key, and later messages of the key wait. */
export class ParkedKeys {
  /** The parked keys, or a promise while they are read. Null if they must be read again. */
  private cache: Set<string> | Promise<Set<string>> | null = null;

  constructor(
    private readonly consumer: string,
    private readonly dependencies: ParkedKeysDependencies,
  ) {}

  /** Clears the cache, so that the keys are read again. Other processes may have parked more keys. */
  clearCache(): void {
    this.cache = null;
  }

  /** Returns every parked key, the longest parked first. */
  all(): Promise<readonly ParkedKey[]> {
    return this.dependencies.store.all();
  }

  count(): Promise<number> {
    return this.dependencies.store.count();
  }

  /**
   * Records that a message waits for the retry of its key, if the key is parked. Returns whether the message waits. If the
   * cache shows that the key is not parked, returns false directly: a promise for every message would take too much time.
   */
  addWaitingIfParked(pointer: MessagePointer): boolean | Promise<boolean> {
    return this.cache instanceof Set && !this.cache.has(pointer.key) ? false : this.addWaitingIfStillParked(pointer);
  }

  private async addWaitingIfStillParked(pointer: MessagePointer): Promise<boolean> {
    const parked = await this.loadCache();
    if (!parked.has(pointer.key)) return false;
    if (await this.dependencies.store.addWaiting(pointer)) return true;
    parked.delete(pointer.key);
    return false;
  }

  /** Parks a key. The write is durable when the promise resolves. */
  async park({ key, revision, type }: MessagePointer, reason: string): Promise<void> {
    const { store, clock, log } = this.dependencies;
    await store.put({ consumer: this.consumer, key, revision, reason, parkedAt: clock.now().toISOString() });
    // The key is added to the cache. If `park` cleared the cache instead, each parked key would cause another read of all keys.
    // The total time would grow with the square of their number. If the cache is a pending read that fails, the error is
    // ignored: the next message causes another read.
    await Promise.resolve(this.cache)
      .then((parked) => parked?.add(key))
      .catch(() => undefined);
    log.error({ consumer: this.consumer, key, revision, type, reason }, 'a message failed repeatedly; its key is parked');
  }

  /**
   * Retries the waiting messages of one key, once each, in order. Stops at the first message that fails. Returns whether
   * the key is no longer parked.
   */
  async retry(parked: ParkedKey, { handle, shouldContinue }: KeyRetry): Promise<boolean> {
    const { store } = this.dependencies;
    let { revision } = parked;
    try {
      for (;;) {
        const waiting = await store.readWaiting(parked.key, revision);
        for (const pointer of waiting) {
          ({ revision } = pointer);
          if (!shouldContinue()) return await this.parkAgain({ ...parked, revision });
          await handle(pointer);
          revision++;
        }
        if (waiting.length > 0) continue;
        if (await store.release(parked.key, revision - 1)) return this.logReleased(parked.key);
        // `release` found that a later message waits. The loop handles that message too, unless `readWaiting` does not return
        // it yet. In that case the key stays parked until the next retry.
        if ((await store.readWaiting(parked.key, revision)).length === 0) return false;
      }
    } catch (error) {
      return this.parkAgain({ ...parked, revision, reason: reasonOf(error) });
    }
  }

  /** Logs the release. The key stays in the cache until `addWaiting` returns false for the next message of the key. */
  private logReleased(key: string): true {
    this.dependencies.log.info(
      { consumer: this.consumer, key },
      'the retry of a parked key succeeded; later messages of the key no longer wait',
    );
    return true;
  }

  private async parkAgain(parked: ParkedKey): Promise<false> {
    try {
      await this.dependencies.store.put(parked);
    } catch (error) {
      const { consumer, key } = parked;
      this.dependencies.log.warn(
        { consumer, key, reason: reasonOf(error) },
        'the progress of a retry could not be stored; the next retry of the key handles some messages again',
      );
    }
    return false;
  }

  private loadCache(): Set<string> | Promise<Set<string>> {
    return (this.cache ??= this.read());
  }

  private read(): Promise<Set<string>> {
    const reading = this.all().then((all) => new Set(all.map(({ key }) => key)));
    const settle = (parked: Set<string> | null): void => {
      if (this.cache === reading) this.cache = parked;
    };
    reading.then(settle, () => settle(null));
    return reading;
  }
}
