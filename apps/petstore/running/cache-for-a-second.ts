import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

const LIFETIME = 1_000;

/**
 * Returns a function that calls `read` at most once a second and shares the result. An endpoint without rate
 * limit therefore costs the servers behind it one read a second.
 */
export const cacheForASecond = <T>(clock: Clock, read: () => Promise<T>): (() => Promise<T>) => {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    const now = clock.now().getTime();
    // A clock that was set back makes the age negative. The value counts as expired, otherwise it would stay
    // for long.
    if (!last || now < last.at || now >= last.at + LIFETIME) last = { at: now, value: read() };
    return last.value;
  };
};
