import type { Clock } from '../ports/clock.port.js';

type Timer = { readonly due: number; readonly work: () => void };

/** A clock for tests. Only `advance` and `set` change its time. */
export interface ManualClock extends Clock {
  /**
   * Moves the time forward and runs the timers that become due, including timers that a running timer adds. Timers run in the
   * order of their due times. Timers with equal due times run in the order of creation. While a timer runs, `now` returns its
   * due time. `advance` awaits nothing, so code that awaits a timer continues only after the caller's next await.
   */
  advance(milliseconds: number): void;
  /** Sets the time without running timers. The time may go backwards, as a machine's clock may. */
  set(time: Date | string | number): void;
  /** Returns the number of pending timers. */
  waiting(): number;
}

/** Returns a clock that tests move. */
export const manualClock = (start: Date | string | number = '2026-01-02T03:04:05.678Z'): ManualClock => {
  let now = new Date(start).getTime();
  const timers = new Set<Timer>();

  const nextDue = (until: number): Timer | undefined => {
    let next: Timer | undefined;
    for (const timer of timers) if (timer.due <= until && (!next || timer.due < next.due)) next = timer;
    return next;
  };

  return {
    now: () => new Date(now),
    after(milliseconds, work) {
      const timer = { due: now + Math.max(0, milliseconds), work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(milliseconds) {
      const until = now + milliseconds;
      for (let timer = nextDue(until); timer; timer = nextDue(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.due);
        timer.work();
      }
      now = until;
    },
    set: (time) => void (now = new Date(time).getTime()),
    waiting: () => timers.size,
  };
};
