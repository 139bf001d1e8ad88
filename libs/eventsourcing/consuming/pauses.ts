import type { Clock } from '../ports/clock.port.js';

/** Pauses of running work. `end` ends all pending pauses, and later pauses end at once. */
export class Pauses {
  private readonly pending = new Set<() => void>();
  private hasEnded = false;

  constructor(private readonly clock: Clock) {}

  /** Resolves when the time has passed, or when `end` is called. Resolves at once if `end` was called before. */
  wait(milliseconds: number): Promise<void> {
    if (this.hasEnded) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.pending.delete(end);
        resolve();
      };
      const cancel = this.clock.after(milliseconds, end);
      this.pending.add(end);
    });
  }

  end(): void {
    this.hasEnded = true;
    for (const end of [...this.pending]) end();
  }
}
