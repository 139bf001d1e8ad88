import type { Clock } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Consumer, MessagePointer, ParkedKey } from '../ports/messages.port.js';
import { reasonOf } from '../reason.js';

/** Stores the parked keys of one consumer, and the messages that wait for their retry. */
export interface ParkedKeyStore {
  /** Returns every parked key, the longest parked first. */
  all(): Promise<readonly ParkedKey[]>;
  count(): Promise<number>;
  /** Stores a parked key. Durable when it resolves. */
  put(parked: ParkedKey): Promise<void>;
  /** Records that a message waits for the retry of its key. Returns false if the key is no longer parked. */
  addWaiting(pointer: MessagePointer): Promise<boolean>;
  /**
   * Returns the waiting messages of a key from a revision on, in order, a page at a time. `[]` means that
   * there are no more.
   */
  readWaiting(key: string, fromRevision: number): Promise<readonly MessagePointer[]>;
  /**
   * Releases a key whose messages are handled up to the revision `last`. Returns false if a later message
   * waits.
   */
  release(key: string, last: number): Promise<boolean>;
}

export type ParkedKeysParts = { readonly store: ParkedKeyStore; readonly clock: Clock; readonly log: Log };

/** How a parked key is retried, and whether the retry continues. */
export type KeyRetry = Pick<Consumer, 'handle'> & { readonly shouldContinue: () => boolean };

/** The parked keys of one consumer. A key is parked from its first message that could not be handled. */
export class ParkedKeys {
  /** The parked keys when they were last read. Null if they have to be read again. */
  private cache: Set<string> | Promise<Set<string>> | null = null;

  constructor(
    private readonly consumer: string,
    private readonly parts: ParkedKeysParts,
  ) {}

  /** Clears the cache, so that keys parked by other processes are read. */
  clearCache(): void {
    this.cache = null;
  }

  /** Returns every parked key, the longest parked first. */
  all(): Promise<readonly ParkedKey[]> {
    return this.parts.store.all();
  }

  count(): Promise<number> {
    return this.parts.store.count();
  }

  /**
   * Records that a message waits for the retry of its key, if the key is parked. Returns whether it waits,
   * without a promise if the cache shows that the key is not parked.
   */
  addWaitingIfParked(pointer: MessagePointer): boolean | Promise<boolean> {
    return this.cache instanceof Set && !this.cache.has(pointer.key) ? false : this.addWaitingIfStillParked(pointer);
  }

  private async addWaitingIfStillParked(pointer: MessagePointer): Promise<boolean> {
    const known = await this.loadCache();
    if (!known.has(pointer.key)) return false;
    if (await this.parts.store.addWaiting(pointer)) return true;
    known.delete(pointer.key);
    return false;
  }

  /** Parks a key. Durable when it resolves. */
  async park({ key, revision, type }: MessagePointer, reason: string): Promise<void> {
    const { store, clock, log } = this.parts;
    await store.put({ consumer: this.consumer, key, revision, reason, parkedAt: clock.now().toISOString() });
    // Reading all keys for each parked key would be quadratic. If reading fails, the next call reads again.
    await Promise.resolve(this.cache)
      .then((known) => known?.add(key))
      .catch(() => undefined);
    log.error({ consumer: this.consumer, key, revision, type, reason }, 'a message failed repeatedly; its key is parked');
  }

  /**
   * Retries the waiting messages of one key, once each, in order. Returns whether the key is no longer
   * parked.
   */
  async retry(parked: ParkedKey, { handle, shouldContinue }: KeyRetry): Promise<boolean> {
    const { store } = this.parts;
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
        // A later message waits, so it is in the log. If the store does not return it yet, the key stays
        // parked.
        if ((await store.readWaiting(parked.key, revision)).length === 0) return false;
      }
    } catch (error) {
      return this.parkAgain({ ...parked, revision, reason: reasonOf(error) });
    }
  }

  /** The key stays in the cache until its next message, when `addWaiting` returns false. */
  private logReleased(key: string): true {
    this.parts.log.info({ consumer: this.consumer, key }, 'the retry of a parked key succeeded; its messages are handled again');
    return true;
  }

  private async parkAgain(parked: ParkedKey): Promise<false> {
    try {
      await this.parts.store.put(parked);
    } catch (error) {
      const { consumer, key } = parked;
      this.parts.log.warn(
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
    const settle = (known: Set<string> | null): void => {
      if (this.cache === reading) this.cache = known;
    };
    reading.then(settle, () => settle(null));
    return reading;
  }
}
