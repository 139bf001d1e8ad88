import type { RateLimit } from '../../../libs/application/setting-values.js';
import type { Clock } from '../../../libs/eventsourcing/clock.port.js';
import type { RateLimitCounters } from '../../../libs/eventsourcing/rate-limit-counters.port.js';

/** What is left to a caller in this window, this request counted. */
export type Allowance = {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds to the window's end, at least 1: the RateLimit draft's meaning of Reset. */
  readonly resetSeconds: number;
};

export type RateLimiter = {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Counts one request. */
  take(key: string): Allowance;
};

/** "the number of buckets is capped": callers beyond it share one, so that memory stays bounded. */
export const MAX_BUCKETS = 100_000;
const OVERFLOW = '';

/** Counts on their way to the others at once: beyond it a process counts by itself for as long as they are slow. */
export const MOST_ON_THEIR_WAY = 100;

/**
 * Counts requests by key in fixed windows, the same for every key, so that a new window forgets them all at once. "Shared
 * across processes when there are several (each on its own while the store is down)": what the others have counted is
 * learnt with each request, for the next one, so that no request waits for it. What is refused is told to nobody: a flood ends here.
 */
export const createRateLimiter = ({ limit, windowSeconds }: RateLimit, clock: Clock, shared?: RateLimitCounters): RateLimiter => {
  const windowMilliseconds = windowSeconds * 1000;
  let windowEnd = 0;
  let used = new Map<string, number>();
  const share = sharing(shared);
  return {
    limit,
    windowSeconds,
    take(key) {
      const now = clock.now().getTime();
      // Also when the clock was set back by more than a window.
      if (now >= windowEnd || now < windowEnd - windowMilliseconds) {
        windowEnd = (Math.floor(now / windowMilliseconds) + 1) * windowMilliseconds;
        used = new Map();
      }
      const bucket = used.has(key) || used.size < MAX_BUCKETS ? key : OVERFLOW;
      const count = (used.get(bucket) ?? 0) + 1;
      used.set(bucket, count);
      if (count <= limit) share(bucket, new Date(windowEnd), used);
      return {
        allowed: count <= limit,
        remaining: Math.max(0, limit - count),
        resetSeconds: Math.max(1, Math.ceil((windowEnd - now) / 1000)),
      };
    },
  };
};

const sharing = (shared: RateLimitCounters | undefined) => {
  let onTheirWay = 0;
  return (bucket: string, windowEnd: Date, used: Map<string, number>): void => {
    if (!shared || onTheirWay >= MOST_ON_THEIR_WAY) return;
    onTheirWay++;
    shared
      .add(bucket, windowEnd)
      .then(
        (total) => used.set(bucket, Math.max(total, used.get(bucket) ?? 0)),
        () => undefined,
      )
      .finally(() => onTheirWay--);
  };
};
