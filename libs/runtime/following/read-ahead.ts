import type { EventBatch, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { charactersOf, firstWithin } from './event-batches.js';
import type { Throttle } from './throttle.js';

/**
 * Maximum number of characters per batch and in the buffer. A batch is written in one transaction, so it must stay small even
 * if its events are large.
 */
const MAX_CHARACTERS = 4_000_000;

/**
 * Reads a subscription ahead of its consumer, until a full batch is buffered. While the consumer handles a batch, the arriving
 * events form its next batch.
 */
export class ReadAhead {
  private buffer: StoredEvent[] = [];
  private characters = 0;
  private hasEnded = false;
  private failure: { readonly error: unknown } | null = null;
  private wake = (): void => undefined;

  /** `source` must end when `signal` aborts. `takeBatch` waits for the throttle, unless a full batch is buffered. */
  constructor(
    source: AsyncIterable<EventBatch>,
    private readonly maxEvents: number,
    private readonly signal: AbortSignal,
    private readonly throttle: Throttle,
  ) {
    signal.addEventListener('abort', () => this.wake());
    void this.read(source);
  }

  /**
   * Returns the buffered events, at least one and at most a full batch. Waits until there are events and the throttle allows
   * another batch, or until the batch is full. Returns null once `signal` aborts or the source has ended. Rejects if
   * the source failed.
   */
  async takeBatch(): Promise<readonly StoredEvent[] | null> {
    while (this.buffer.length === 0 && !this.hasEnded && !this.signal.aborted) await this.waitForChange();
    if (this.buffer.length > 0 && !this.isFull()) await this.waitForThrottleOrFull();
    if (this.signal.aborted) return null;
    const taken = this.nextBatch();
    this.buffer = this.buffer.slice(taken.length);
    this.characters -= charactersOf(taken);
    this.wake();
    if (taken.length > 0) return taken;
    if (this.failure) throw this.failure.error;
    return null;
  }

  /** Resolves when the throttle allows a batch, or when the batch is full. A full batch would gain nothing by waiting. */
  private async waitForThrottleOrFull(): Promise<void> {
    let isTime = false;
    void this.throttle().then(() => {
      isTime = true;
      this.wake();
    });
    while (!isTime && !this.isFull() && !this.signal.aborted) await this.waitForChange();
  }

  private isFull(): boolean {
    return this.buffer.length >= this.maxEvents || this.characters >= MAX_CHARACTERS;
  }

  private nextBatch(): readonly StoredEvent[] {
    if (this.buffer.length <= this.maxEvents && this.characters <= MAX_CHARACTERS) return this.buffer;
    return firstWithin(this.buffer, this.maxEvents, MAX_CHARACTERS);
  }

  private async read(source: AsyncIterable<EventBatch>): Promise<void> {
    try {
      for await (const { events } of source) {
        this.buffer = this.buffer.concat(events);
        this.characters += charactersOf(events);
        this.wake();
        while (this.isFull() && !this.signal.aborted) await this.waitForChange();
      }
    } catch (error) {
      this.failure = { error };
    } finally {
      this.hasEnded = true;
      this.wake();
    }
  }

  /**
   * Resolves at the next change of the buffer. `read` and `takeBatch` may wait at the same time, so a new `wake` also calls the
   * previous `wake`.
   */
  private waitForChange(): Promise<void> {
    return new Promise((resolve) => {
      const { wake } = this;
      this.wake = () => {
        this.wake = () => undefined;
        wake();
        resolve();
      };
    });
  }
}
