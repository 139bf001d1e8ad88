import type { Clock } from '../../eventsourcing/ports/clock.port.js';

export type StoredPositionParts = {
  /** Makes a position durable. */
  readonly store: (position: number) => Promise<void>;
  readonly clock: Clock;
  /** Milliseconds from one time to the next, at the least. */
  readonly every: number;
  /** A position could not be stored; nothing is stored any more then, and `end` says why. */
  readonly onFailure: () => void;
};

/**
 * Stores how far somebody has come, beside the work: the newest position, once in a while. Who dies in between does again
 * what was done since.
 */
export class StoredPosition {
  private reached: number;
  private stored: number;
  private storing: Promise<void> | null = null;
  private ended = false;
  private failure: { readonly error: unknown } | null = null;
  private hurry = (): void => undefined;

  constructor(
    private readonly parts: StoredPositionParts,
    from: number,
  ) {
    this.reached = this.stored = from;
  }

  /** It has come so far. */
  reach(position: number): void {
    this.reached = position;
    this.storing ??= this.keepUp();
  }

  /** Stores what is not stored yet; nothing may be reached after it. Rejects as storing did. */
  async end(): Promise<void> {
    this.ended = true;
    this.hurry();
    await this.storing;
    if (this.failure) throw this.failure.error;
  }

  private async keepUp(): Promise<void> {
    const { store, every, onFailure } = this.parts;
    try {
      while (this.reached > this.stored) {
        const position = this.reached;
        await store(position);
        this.stored = position;
        if (!this.ended) await this.pause(every);
      }
      this.storing = null;
    } catch (error) {
      this.failure = { error };
      onFailure();
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const takeBack = this.parts.clock.after(milliseconds, resolve);
      this.hurry = () => {
        takeBack();
        resolve();
      };
    });
  }
}
