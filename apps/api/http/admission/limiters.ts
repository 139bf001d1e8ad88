import type { RateLimit } from '../../../../libs/settings/setting-values.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { RateLimitCounters } from '../../../../libs/ports/rate-limit-counters.port.js';
import { createRateLimiter, type RateLimiter } from './rate-limit.js';
import { requestLimit, type LimitName } from './request-limits.js';

/** The rate limiters (contract 11.2). All are null if RATE_LIMIT is `off`. */
export type Limiters = {
  readonly common: RateLimiter | null;
  /** Returns the limiter of a row of REQUEST_LIMITS. */
  named(name: LimitName): RateLimiter | null;
  /** Stops the exchange of counts with other processes. */
  stop(): void;
};

/** Creates the limiters. `limit` is the setting RATE_LIMIT. */
export const createLimiters = (limit: RateLimit | 'off', clock: Clock, counters?: RateLimitCounters): Limiters => {
  if (limit === 'off') return { common: null, named: () => null, stop: () => undefined };
  const common = createRateLimiter(limit, clock, counters);
  const limiters = [common];
  const created = new Map<LimitName, RateLimiter>();
  const create = (name: LimitName): RateLimiter => {
    const limiter = createRateLimiter(requestLimit(name), clock, counters);
    limiters.push(limiter);
    // All limiters use the same shared counters. The name in the key keeps the counts of this limiter separate.
    const keyOf = (caller: string): string => `${name}:${caller}`;
    const named: RateLimiter = {
      ...limiter,
      take: (caller) => limiter.take(keyOf(caller)),
      peek: (caller) => limiter.peek(keyOf(caller)),
    };
    created.set(name, named);
    return named;
  };
  return {
    common,
    named: (name) => created.get(name) ?? create(name),
    stop: () => limiters.forEach((limiter) => limiter.stop()),
  };
};
