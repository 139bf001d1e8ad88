import type { Clock } from '../../eventsourcing/ports/clock.port.js';

/** The longest delay of a Node timer in milliseconds. A timer with a longer delay fires immediately. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The system clock. A wait that is too long for one Node timer uses several timers in turn. */
export const systemClock: Clock = {
  now: () => new Date(),
  elapsed: () => Math.floor(performance.now()),

  after(milliseconds, work) {
    let timer: NodeJS.Timeout | undefined;
    const wait = (left: number): void => {
      const piece = Math.min(left, LONGEST_TIMER);
      timer = setTimeout(() => (left > piece ? wait(left - piece) : work()), piece);
      // Does not keep the process alive: a graceful stop must not wait for work that is due tomorrow.
      timer.unref();
    };
    wait(Math.max(0, milliseconds));
    return () => clearTimeout(timer);
  },
};
