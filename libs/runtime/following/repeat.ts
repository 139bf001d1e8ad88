import type { Clock } from '../../eventsourcing/ports/clock.port.js';

export type RepeatOptions = {
  readonly clock: Clock;
  /** Milliseconds until the first run. */
  readonly firstDelay: number;
  /** Returns the milliseconds to wait until the next run. */
  readonly work: () => Promise<number>;
  /** Milliseconds to wait after a failed run. */
  readonly failureDelay: number;
  readonly onError: (error: unknown) => void;
};

/** Repeats work, one run after the other. Returns a function that ends the repetition and waits for the current run. */
export const repeat = ({ clock, firstDelay, work, failureDelay, onError }: RepeatOptions): (() => Promise<void>) => {
  let stopped = false;
  let cancel = (): void => undefined;
  let current: Promise<void> = Promise.resolve();
  const runOnce = async (): Promise<void> => {
    let wait = failureDelay;
    try {
      wait = await work();
    } catch (error) {
      onError(error);
    }
    schedule(wait);
  };
  const schedule = (milliseconds: number): void => {
    if (stopped) return;
    cancel = clock.after(milliseconds, () => {
      current = runOnce();
    });
  };
  schedule(firstDelay);
  return async () => {
    stopped = true;
    cancel();
    await current;
  };
};
