import type { Clock } from '../ports/clock.port.js';

/** Waits on the clock that can all be ended at once. */
export class Pauses {
  private readonly endings = new Set<() => void>();
  private over = false;

  constructor(private readonly clock: Clock) {}

  /** Resolves when the time has passed, or as soon as the pauses are ended. */
  wait(milliseconds: number): Promise<void> {
    if (this.over) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        takeBack();
        this.endings.delete(end);
        resolve();
      };
      const takeBack = this.clock.after(milliseconds, end);
      this.endings.add(end);
    });
  }

  end(): void {
    this.over = true;
    for (const end of [...this.endings]) end();
  }
}
