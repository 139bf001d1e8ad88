import type { RateLimit } from '../../../../libs/settings/setting-values.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { RateLimitCounters } from '../../../../libs/ports/rate-limit-counters.port.js';
import type { OperationRecord } from '../operation.js';
import { createRateLimiter, type RateLimiter } from './rate-limit.js';

/** The rate limiters of all operations (contract 11.2). */
export type Limiters = {
  /** Returns the limiter of an operation: the common one, or one of its own. Null without a limit. */
  of(operation: Pick<OperationRecord, 'id' | 'rateLimit'>): RateLimiter | null;
  stop(): void;
};

/** Creates the common limiter. With the limit `off`, operations have no limit of their own either. */
export const createLimiters = (limit: RateLimit | 'off', clock: Clock, counters?: RateLimitCounters): Limiters => {
  if (limit === 'off') return { of: () => null, stop: () => undefined };
  const common = createRateLimiter(limit, clock, counters);
  const limiters = [common];
  return {
    of({ id, rateLimit }) {
      if (!rateLimit) return common;
      const limiter = createRateLimiter(rateLimit, clock, counters);
      limiters.push(limiter);
      // The id keeps its counts apart from those of other limiters, because all share the counters.
      return { ...limiter, take: (caller) => limiter.take(`${id}:${caller}`) };
    },
    stop: () => limiters.forEach((limiter) => limiter.stop()),
  };
};
