import type { EventBatch, StoredEvent } from '../eventsourcing/event-store.port.js';

/**
 * Reads a subscription ahead of whoever takes from it, `most` events at the least and a batch more at the most: what
 * comes while the taker is at work is there when it comes back, as one batch.
 */
export class ReadAhead {
  private buffer: StoredEvent[] = [];
  private ended = false;
  private failure: { readonly error: unknown } | null = null;
  private wake = (): void => undefined;

  /** The source ends when `signal` aborts. */
  constructor(
    source: AsyncIterable<EventBatch>,
    private readonly most: number,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.wake());
    void this.read(source);
  }

  /** What is there, `most` events at most, as soon as there is anything; null at the end. Rejects as the source did. */
  async take(): Promise<readonly StoredEvent[] | null> {
    while (this.buffer.length === 0 && !this.ended && !this.signal.aborted) await this.change();
    if (this.signal.aborted) return null;
    const taken = this.buffer.slice(0, this.most);
    this.buffer = this.buffer.slice(this.most);
    this.wake();
    if (taken.length > 0) return taken;
    if (this.failure) throw this.failure.error;
    return null;
  }

  private async read(source: AsyncIterable<EventBatch>): Promise<void> {
    try {
      for await (const { events } of source) {
        this.buffer = this.buffer.concat(events);
        this.wake();
        while (this.buffer.length >= this.most && !this.signal.aborted) await this.change();
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
