import type { EventBatch, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { Pace } from './pace.js';

/**
 * Characters that are taken at once, and read ahead, besides `most` events: what is written in one step must stay small
 * enough for a transaction, however large the events are.
 */
const MOST_CHARACTERS = 4_000_000;

/**
 * Reads a subscription ahead of its consumer, `most` events (or as many characters as are taken at once) at the
 * least and a batch more at the most: what arrives while the consumer works is its next batch.
 */
export class ReadAhead {
  private buffer: StoredEvent[] = [];
  private characters = 0;
  private ended = false;
  private failure: { readonly error: unknown } | null = null;
  private wake = (): void => undefined;

  /** The source ends when `signal` aborts. Something is taken at the given pace. */
  constructor(
    source: AsyncIterable<EventBatch>,
    private readonly most: number,
    private readonly signal: AbortSignal,
    private readonly pace: Pace,
  ) {
    signal.addEventListener('abort', () => this.wake());
    void this.read(source);
  }

  /** What is there, `most` events and so many characters at most but one event at least, as soon as there is anything and the pace allows, or as much as is taken at once; null at the end. Rejects as the source did. */
  async take(): Promise<readonly StoredEvent[] | null> {
    while (this.buffer.length === 0 && !this.ended && !this.signal.aborted) await this.change();
    if (this.buffer.length > 0 && !this.isFull()) await this.pacedOrFull();
    if (this.signal.aborted) return null;
    const taken = this.next();
    this.buffer = this.buffer.slice(taken.length);
    this.characters -= sizeOf(taken);
    this.wake();
    if (taken.length > 0) return taken;
    if (this.failure) throw this.failure.error;
    return null;
  }

  /** More than can be taken at once would not become more by waiting. */
  private async pacedOrFull(): Promise<void> {
    let isTime = false;
    void this.pace().then(() => {
      isTime = true;
      this.wake();
    });
    while (!isTime && !this.isFull() && !this.signal.aborted) await this.change();
  }

  private isFull(): boolean {
    return this.buffer.length >= this.most || this.characters >= MOST_CHARACTERS;
  }

  private next(): readonly StoredEvent[] {
    if (this.buffer.length <= this.most && this.characters <= MOST_CHARACTERS) return this.buffer;
    let characters = 0;
    const end = this.buffer.findIndex((event, index) => {
      characters += sizeOf([event]);
      return index === this.most || (index > 0 && characters > MOST_CHARACTERS);
    });
    return end < 0 ? this.buffer : this.buffer.slice(0, end);
  }

  private async read(source: AsyncIterable<EventBatch>): Promise<void> {
    try {
      for await (const { events } of source) {
        this.buffer = this.buffer.concat(events);
        this.characters += sizeOf(events);
        this.wake();
        while (this.isFull() && !this.signal.aborted) await this.change();
      }
    } catch (error) {
      this.failure = { error };
    } finally {
      this.ended = true;
      this.wake();
    }
  }

  /** Resolves at the next change on either side; both may wait, each for the other. */
  private change(): Promise<void> {
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

const sizeOf = (events: readonly StoredEvent[]): number =>
  events.reduce((characters, { data, metadata }) => characters + data.length + metadata.length, 0);
