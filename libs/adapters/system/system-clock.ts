import type { Clock } from '../../eventsourcing/ports/clock.port.js';

/** The longest wait a Node timer can hold; a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The machine's own time. A wait of any length is kept, in pieces where a timer cannot hold it. */
export const systemClock: Clock = {
  now: () => new Date(),

  after(milliseconds, work) {
    let timer: NodeJS.Timeout | undefined;
    const wait = (left: number): void => {
      const piece = Math.min(left, LONGEST_TIMER);
      timer = setTimeout(() => (left > piece ? wait(left - piece) : work()), piece);
      // Never keeps the process alive: a graceful stop does not wait for what is due tomorrow.
      timer.unref();
    };
    wait(Math.max(0, milliseconds));
    return () => clearTimeout(timer);
  },
};
