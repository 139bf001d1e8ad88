import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

const LIFETIME = 1_000;

/**
 * Returns a function that calls `read` at most once a second and shares the result. So an HTTP endpoint without a
 * rate limit reads from other servers at most once a second.
 */
export const cacheForASecond = <T>(clock: Clock, read: () => Promise<T>): (() => Promise<T>) => {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    const now = clock.now().getTime();
    // After the clock was set back, the age is negative. The value then counts as expired.
    if (!last || now < last.at || now >= last.at + LIFETIME) last = { at: now, value: read() };
    return last.value;
  };
};
