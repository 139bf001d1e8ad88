import type { Clock } from '../../eventsourcing/ports/clock.port.js';

export type Repeating = {
  readonly clock: Clock;
  /** Milliseconds until the first time. */
  readonly first: number;
  /** Answers how many milliseconds to wait until the next time. */
  readonly work: () => Promise<number>;
  /** Milliseconds to wait after a time that failed. */
  readonly afterFailure: number;
  readonly onError: (error: unknown) => void;
};

/** Does the work again and again, one time after the other, until stopped; the answer stops it and waits for the time under way. */
export const repeat = ({ clock, first, work, afterFailure, onError }: Repeating): (() => Promise<void>) => {
  let stopped = false;
  let cancel = (): void => undefined;
  let current: Promise<void> = Promise.resolve();
  const once = async (): Promise<void> => {
    let wait = afterFailure;
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
      current = once();
    });
  };
  schedule(first);
  return async () => {
    stopped = true;
    cancel();
    await current;
  };
};
