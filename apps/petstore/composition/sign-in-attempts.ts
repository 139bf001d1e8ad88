import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { RateLimitCounters } from '../../../libs/ports/rate-limit-counters.port.js';
import { UNLIMITED_ATTEMPTS, type SignInAttempts } from '../../../libs/ports/sign-in-attempts.port.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { createRateLimiter } from '../../api/http/admission/rate-limit.js';

/**
 * The limit of sign-in attempts at one account (contract 30.7). The rate limit of sign-ins permits 10 attempts a minute from one
 * address, which is 50 in this window. So one address cannot lock out the owner of the account. Several addresses can, but
 * only while they continue.
 */
const ATTEMPTS = { limit: 60, windowSeconds: 300 };

/** A counter of sign-in attempts. `stop` ends the exchange of counts with other processes. */
export type CountedAttempts = SignInAttempts & { stop(): void };

/**
 * Counts the sign-in attempts at each account. With `counters`, counts the attempts in all processes. Without `counters`,
 * counts only those in this process. RATE_LIMIT=off permits every attempt.
 */
export const countAttempts = ({ rateLimit }: Pick<Settings, 'rateLimit'>, clock: Clock, counters?: RateLimitCounters): CountedAttempts => {
  if (rateLimit === 'off') return { ...UNLIMITED_ATTEMPTS, stop: () => undefined };
  const limiters = { known: createRateLimiter(ATTEMPTS, clock, counters), unknown: createRateLimiter(ATTEMPTS, clock, counters) };
  return {
    take(account, name) {
      const { allowed, resetSeconds } = limiters[name].take(`account:${account}`);
      return allowed ? null : resetSeconds;
    },
    stop: () => Object.values(limiters).forEach((limiter) => limiter.stop()),
  };
};
