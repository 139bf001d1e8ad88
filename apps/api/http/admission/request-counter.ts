import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { callerNetwork } from './caller-network.js';
import type { Allowance, RateLimiter } from './rate-limit.js';

/** Returns the key under which the requests of an address count (contract 11.2). */
export const addressKey = ({ ip }: Pick<FastifyRequest, 'ip'>): string => `address:${callerNetwork(ip)}`;

type CountRequest = (key: string, reply: FastifyReply) => Problem | null;

/**
 * Returns a function that counts a request under a key and sets the headers of the rate limit. The function returns a
 * problem if a limit is exceeded. With two limiters, the headers state the limit with fewer requests left (contract 11.3).
 */
export const createCounter = (limiter: RateLimiter, further: RateLimiter | null = null): CountRequest => {
  const setHeaders = createRateLimitHeaders(limiter);
  const setFurtherHeaders = further && createRateLimitHeaders(further);
  return (key, reply) => {
    const allowance = limiter.take(key);
    setHeaders(allowance, reply);
    if (!allowance.allowed) return tooManyRequests(limiter, allowance);
    if (!further || !setFurtherHeaders) return null;
    const second = further.take(key);
    if (second.remaining <= allowance.remaining) setFurtherHeaders(second, reply);
    return second.allowed ? null : tooManyRequests(further, second);
  };
};

const tooManyRequests = ({ limit, windowSeconds }: RateLimiter, { resetSeconds }: Allowance): Problem => {
  const detail = `The rate limit of ${limit} requests in ${windowSeconds} s is used up. Try again in ${resetSeconds} s.`;
  return new Problem('too-many-requests', detail, { headers: { 'retry-after': String(resetSeconds) } });
};

/** Returns a function that sets the rate limit headers (contract 11.3). */
const createRateLimitHeaders = ({ limit, windowSeconds }: RateLimiter) => {
  const limitText = String(limit);
  const policy = `"default";q=${limit};w=${windowSeconds}`;
  return ({ remaining, resetSeconds }: Allowance, reply: FastifyReply): void => {
    reply
      .header('ratelimit-limit', limitText)
      .header('ratelimit-remaining', String(remaining))
      .header('ratelimit-reset', String(resetSeconds))
      .header('ratelimit', `"default";r=${remaining};t=${resetSeconds}`)
      .header('ratelimit-policy', policy);
  };
};
