import type { Clock } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Consumer, MessagePointer, ParkedKey } from '../ports/messages.port.js';
import { reasonOf } from '../reason.js';

/** Where the parked keys of one consumer are stored, and which of their messages were left to the retry. */
export interface ParkedKeyStore {
  /** Every key that waits, the longest waiting first. */
  all(): Promise<readonly ParkedKey[]>;
  count(): Promise<number>;
  /** Durable when it resolves. */
  put(parked: ParkedKey): Promise<void>;
  /** Leaves a message to the retry of its key; answers false when the key has come free. */
  leaveWaiting(pointer: MessagePointer): Promise<boolean>;
  /**
   * What waits of a key from a revision on, in order, as far as is known now; in pieces as long as the store likes. `[]` is
   * the end.
   */
  waiting(key: string, fromRevision: number): Promise<readonly MessagePointer[]>;
  /** Sets a key free of which everything up to `last` was handled; answers false when a later message was left waiting meanwhile. */
  free(key: string, last: number): Promise<boolean>;
}

export type ParkedKeysParts = { readonly store: ParkedKeyStore; readonly clock: Clock; readonly log: Log };

/** How a key is tried again, and for how long. */
export type RetryOfKey = Pick<Consumer, 'handle'> & { readonly goesOn: () => boolean };

/** One consumer's keys that wait, each from its first message that could not be handled. */
export class ParkedKeys {
  /** The keys that wait, or may have come free; null where they are to be read anew. */
  private known: Set<string> | Promise<Set<string>> | null = null;

  constructor(
    private readonly consumer: string,
    private readonly parts: ParkedKeysParts,
  ) {}

  /** Forgets what is remembered: what others have parked meanwhile is to be seen. */
  lookAgain(): void {
    this.known = null;
  }

  /** Every key that waits, the longest waiting first. */
  all(): Promise<readonly ParkedKey[]> {
    return this.parts.store.all();
  }

  count(): Promise<number> {
    return this.parts.store.count();
  }

  /** Whether a message has to wait with its key; said at once where its key is known not to. When it does, the retry of the key handles it. */
  keepsWaiting(pointer: MessagePointer): boolean | Promise<boolean> {
    return this.known instanceof Set && !this.known.has(pointer.key) ? false : this.leavesWaiting(pointer);
  }

  private async leavesWaiting(pointer: MessagePointer): Promise<boolean> {
    const known = await this.remembered();
    if (!known.has(pointer.key)) return false;
    if (await this.parts.store.leaveWaiting(pointer)) return true;
    known.delete(pointer.key);
    return false;
  }

  /** Durable when it resolves. */
  async park({ key, revision, type }: MessagePointer, reason: string): Promise<void> {
    const { store, clock, log } = this.parts;
    await store.put({ consumer: this.consumer, key, revision, reason, parkedAt: clock.now().toISOString() });
    // Reading all of them anew for each would be a read of all for each; where they cannot be read they are read anew anyway.
    await Promise.resolve(this.known)
      .then((known) => known?.add(key))
      .catch(() => undefined);
    log.error({ consumer: this.consumer, key, revision, type, reason }, 'a message failed too often; it and later ones of its key wait');
  }

  /** What waits of one key, in order, each message tried once; answers whether the key came free. */
  async retry(parked: ParkedKey, { handle, goesOn }: RetryOfKey): Promise<boolean> {
    const { store } = this.parts;
    let { revision } = parked;
    try {
      for (;;) {
        const waiting = await store.waiting(parked.key, revision);
        for (const pointer of waiting) {
          ({ revision } = pointer);
          if (!goesOn()) return await this.parkAgain({ ...parked, revision });
          await handle(pointer);
          revision++;
        }
        if (waiting.length > 0) continue;
        if (await store.free(parked.key, revision - 1)) return this.freed(parked.key);
        // Left waiting, so it is in the log; a reader that does not see it yet leaves the key parked.
        if ((await store.waiting(parked.key, revision)).length === 0) return false;
      }
    } catch (error) {
      return this.parkAgain({ ...parked, revision, reason: reasonOf(error) });
    }
  }

  /** Still remembered: the next message of the key is the one that finds it free. */
  private freed(key: string): true {
    this.parts.log.info({ consumer: this.consumer, key }, 'a parked key came free');
    return true;
  }

  private async parkAgain(parked: ParkedKey): Promise<false> {
    try {
      await this.parts.store.put(parked);
    } catch (error) {
      const { consumer, key } = parked;
      this.parts.log.warn({ consumer, key, reason: reasonOf(error) }, 'a key stays parked where it was');
    }
    return false;
  }

  private remembered(): Set<string> | Promise<Set<string>> {
    return (this.known ??= this.read());
  }

  private read(): Promise<Set<string>> {
    const reading = this.all().then((all) => new Set(all.map(({ key }) => key)));
    const becomes = (known: Set<string> | null): void => {
      if (this.known === reading) this.known = known;
    };
    reading.then(becomes, () => becomes(null));
    return reading;
  }
}
