import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

/**
 * Returns a function that calls `read` and caches the result for `lifetime` milliseconds. The cache limits the reads that an
 * HTTP endpoint without a rate limit can cause on other servers.
 */
export const cacheFor = <T>(lifetime: number, clock: Clock, read: () => Promise<T>): (() => Promise<T>) => {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    const now = clock.elapsed();
    if (!last || now >= last.at + lifetime) last = { at: now, value: read() };
    return last.value;
  };
};

/** Caches the result of `read` for one second, as `cacheFor` does. */
export const cacheForASecond = <T>(clock: Clock, read: () => Promise<T>): (() => Promise<T>) => cacheFor(1_000, clock, read);
