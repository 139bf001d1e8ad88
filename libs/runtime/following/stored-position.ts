import type { Clock } from '../../eventsourcing/ports/clock.port.js';

export type StoredPositionDependencies = {
  /** Stores a position durably. */
  readonly store: (position: number) => Promise<void>;
  readonly clock: Clock;
  /** Minimum milliseconds between two writes. */
  readonly interval: number;
  /** Called when a position could not be stored. Nothing more is stored, and `end` rejects with the reason. */
  readonly onFailure: () => void;
};

/**
 * Stores the newest position of a reader in the background, at most once per interval. After a crash, the reader handles the
 * events after the stored position again.
 */
export class StoredPosition {
  private reached: number;
  private stored: number;
  private storing: Promise<void> | null = null;
  private ended = false;
  private failure: { readonly error: unknown } | null = null;
  private endPause = (): void => undefined;

  constructor(
    private readonly dependencies: StoredPositionDependencies,
    from: number,
  ) {
    this.reached = this.stored = from;
  }

  /** Sets the position to store next. */
  advanceTo(position: number): void {
    this.reached = position;
    this.storing ??= this.storeUntilCurrent();
  }

  /** Stores the last position. No position may be set afterwards. Rejects if storing failed. */
  async end(): Promise<void> {
    this.ended = true;
    this.endPause();
    await this.storing;
    if (this.failure) throw this.failure.error;
  }

  private async storeUntilCurrent(): Promise<void> {
    const { store, interval, onFailure } = this.dependencies;
    try {
      while (this.reached > this.stored) {
        const position = this.reached;
        await store(position);
        this.stored = position;
        if (!this.ended) await this.pause(interval);
      }
      this.storing = null;
    } catch (error) {
      this.failure = { error };
      onFailure();
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.dependencies.clock.after(milliseconds, resolve);
      this.endPause = () => {
        cancel();
        resolve();
      };
    });
  }
}
