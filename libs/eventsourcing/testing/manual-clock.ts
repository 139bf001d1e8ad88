import type { Clock } from '../ports/clock.port.js';

type Timer = { readonly due: number; readonly work: () => void };

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /**
   * Moves the time on. What falls due on the way runs in the order of its time (what was asked first, first), each at
   * its own moment, also what was asked for on the way. Awaits nothing: promises go on after the caller's next await.
   */
  advance(milliseconds: number): void;
  /** Sets the time without running anything, also backwards, as a machine's clock may be set. */
  set(time: Date | string | number): void;
  /** How many timers wait. */
  waiting(): number;
}

/** Time for tests, where it passes by request. */
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
