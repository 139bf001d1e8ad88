import type { RateLimit } from '../../../../libs/settings/setting-values.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { RateLimitCounters } from '../../../../libs/ports/rate-limit-counters.port.js';
import type { OperationRecord } from '../operation.js';
import { createRateLimiter, type RateLimiter } from './rate-limit.js';

/** The rate limiters of all operations (contract 11.2). */
export type Limiters = {
  /**
   * Returns the operation's own limiter if it has a `rateLimit`, otherwise the common limiter. Returns null if RATE_LIMIT
   * is `off`. Requests to an operation with `limitOf` count towards the limit of the operation that `limitOf` names.
   */
  of(operation: Pick<OperationRecord, 'id' | 'rateLimit' | 'limitOf'>): RateLimiter | null;
  /** Returns the second limiter of an operation. Returns null if it has none, or if RATE_LIMIT is `off`. */
  furtherOf(operation: Pick<OperationRecord, 'furtherLimit'>): RateLimiter | null;
  /** Stops the exchange of counts with other processes. */
  stop(): void;
};

/** Creates the limiters. `limit` is the setting RATE_LIMIT. With `off`, no operation has any limit. */
export const createLimiters = (limit: RateLimit | 'off', clock: Clock, counters?: RateLimitCounters): Limiters => {
  if (limit === 'off') return { of: () => null, furtherOf: () => null, stop: () => undefined };
  const common = createRateLimiter(limit, clock, counters);
  const limiters = [common];
  const named = new Map<string, RateLimiter>();
  const limiterNamed = (name: string, own: RateLimit): RateLimiter => {
    const existing = named.get(name);
    if (existing) return existing;
    const limiter = createRateLimiter(own, clock, counters);
    limiters.push(limiter);
    // All limiters use the same shared counters. The name in the key keeps the counts of this limiter separate.
    const keyOf = (caller: string): string => `${name}:${caller}`;
    const created: RateLimiter = {
      ...limiter,
      take: (caller) => limiter.take(keyOf(caller)),
      peek: (caller) => limiter.peek(keyOf(caller)),
    };
    named.set(name, created);
    return created;
  };
  return {
    of: ({ id, rateLimit, limitOf }) => (rateLimit ? limiterNamed(limitOf ?? id, rateLimit) : common),
    furtherOf: ({ furtherLimit }) => (furtherLimit ? limiterNamed(furtherLimit.name, furtherLimit) : null),
    stop: () => limiters.forEach((limiter) => limiter.stop()),
  };
};
