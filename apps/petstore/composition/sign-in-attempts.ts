import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { RateLimitCounters } from '../../../libs/ports/rate-limit-counters.port.js';
import { UNLIMITED_ATTEMPTS, type SignInAttempts } from '../../../libs/ports/sign-in-attempts.port.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { ACCOUNT_ATTEMPTS } from '../../api/http/admission/limiters.js';
import { createRateLimiter } from '../../api/http/admission/rate-limit.js';

/** A counter of sign-in attempts. `stop` ends the exchange of counts with other processes. */
export type CountedAttempts = SignInAttempts & { stop(): void };

/**
 * Counts the sign-in attempts at each account. With `counters`, counts the attempts in all processes. Without `counters`,
 * counts only those in this process. RATE_LIMIT=off permits every attempt.
 */
export const countAttempts = ({ rateLimit }: Pick<Settings, 'rateLimit'>, clock: Clock, counters?: RateLimitCounters): CountedAttempts => {
  if (rateLimit === 'off') return { ...UNLIMITED_ATTEMPTS, stop: () => undefined };
  const limiters = {
    known: createRateLimiter(ACCOUNT_ATTEMPTS, clock, counters),
    unknown: createRateLimiter(ACCOUNT_ATTEMPTS, clock, counters),
  };
  return {
    take(account, name) {
      const { allowed, resetSeconds } = limiters[name].take(`account:${account}`);
      return allowed ? null : resetSeconds;
    },
    stop: () => Object.values(limiters).forEach((limiter) => limiter.stop()),
  };
};
