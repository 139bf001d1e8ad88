import type { Clock } from '../ports/clock.port.js';

type Timer = { readonly due: number; readonly work: () => void };

/** A clock for tests. Only `advance`, `skip` and `set` change its time. `set` leaves `elapsed` as it is, and only `advance` runs timers. */
export interface ManualClock extends Clock {
  /**
   * Moves the time forward and runs the timers that become due, including timers that a running timer adds. Timers run in the
   * order of their due times. Timers with equal due times run in the order of creation. While a timer runs, `now` returns its
   * due time. `advance` awaits nothing, so code that awaits a timer continues only after the caller's next await.
   */
  advance(milliseconds: number): void;
  /** Moves the time forward without running timers. The next `advance` runs those that have become due, once each. */
  skip(milliseconds: number): void;
  /** Sets the time of day, as someone may set a machine's clock. It may go backwards. Timers keep their delays. */
  set(time: Date | string | number): void;
  /** Returns the number of pending timers. */
  waiting(): number;
}

/** Returns a clock that tests move. */
export const manualClock = (start: Date | string | number = '2026-01-02T03:04:05.678Z'): ManualClock => {
  let elapsed = 0;
  /** The time of day when `elapsed` was 0. `set` changes it. */
  let base = new Date(start).getTime();
  const timers = new Set<Timer>();

  const nextDue = (until: number): Timer | undefined => {
    let next: Timer | undefined;
    for (const timer of timers) if (timer.due <= until && (!next || timer.due < next.due)) next = timer;
    return next;
  };

  return {
    now: () => new Date(base + elapsed),
    elapsed: () => elapsed,
    after(milliseconds, work) {
      const timer = { due: elapsed + Math.max(0, milliseconds), work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(milliseconds) {
      const until = elapsed + milliseconds;
      for (let timer = nextDue(until); timer; timer = nextDue(until)) {
        timers.delete(timer);
        elapsed = Math.max(elapsed, timer.due);
        timer.work();
      }
      elapsed = until;
    },
    skip: (milliseconds) => void (elapsed += milliseconds),
    set: (time) => void (base = new Date(time).getTime() - elapsed),
    waiting: () => timers.size,
  };
};
