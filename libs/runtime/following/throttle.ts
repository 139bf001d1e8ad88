import type { Clock } from '../../eventsourcing/ports/clock.port.js';

/** Resolves when the next work may start. */
export type Throttle = () => Promise<void>;

/**
 * Creates a throttle, which lets work start at most once per interval of `milliseconds`. After an idle time, the work starts at
 * once. Under load, everything that arrives within an interval is handled together, so that the cost per second does not grow
 * with the load.
 */
export const createThrottle = (clock: Clock, milliseconds: number): Throttle => {
  let next = -Infinity;
  return async () => {
    const now = clock.elapsed();
    const wait = Math.max(0, next - now);
    if (wait > 0) await new Promise<void>((resolve) => clock.after(wait, resolve));
    next = now + wait + milliseconds;
  };
};
