import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

const LIFETIME = 1_000;

/**
 * Looks at most once a second, however often it is asked: all who ask meanwhile are shown the same. So what anybody may ask, as
 * often as they like, costs the servers behind it no more than that.
 */
export const cacheForASecond = <T>(clock: Clock, look: () => Promise<T>): (() => Promise<T>) => {
  let last: { readonly at: number; readonly seen: Promise<T> } | undefined;
  return () => {
    const now = clock.now().getTime();
    // A clock that was set back makes the age negative: too old, or this would be shown until the clock has caught up.
    if (!last || now < last.at || now >= last.at + LIFETIME) last = { at: now, seen: look() };
    return last.seen;
  };
};
