import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenClaims } from '../../../../libs/ports/access-token.port.js';
import type { RateLimit } from '../../../../libs/settings/setting-values.js';
import { Problem } from '../problems/problem.js';
import { callerNetwork } from './caller-network.js';
import type { Allowance, RateLimiter } from './rate-limit.js';

/** Returns the key under which the requests of an address count (contract 11.2). */
export const addressKey = ({ ip }: Pick<FastifyRequest, 'ip'>): string => `address:${callerNetwork(ip)}`;

/**
 * Returns the key of a caller: the subject of the token, or the address without a token. Anybody can get tokens of many adoption
 * applications, so a request with such a token counts by address (contract 11.2).
 */
export const callerKey = (request: Pick<FastifyRequest, 'ip'>, claims: TokenClaims | null): string =>
  claims && claims.adoptionId === undefined ? `subject:${claims.tenant ?? ''}:${claims.subject}` : addressKey(request);

type CountRequest = (key: string, reply: FastifyReply) => Problem | null;

/**
 * Returns a function that counts a request under a key and sets the headers of the rate limit. The function returns a
 * problem if a limit is exceeded. With two limiters, the headers state the limit with fewer requests left (contract 11.3).
 */
export const createCounter = (limiter: RateLimiter, further: RateLimiter | null = null): CountRequest => {
  const headersOf = createRateLimitHeaders(limiter);
  const furtherHeadersOf = further && createRateLimitHeaders(further);
  return (key, reply) => {
    const allowance = limiter.take(key);
    reply.headers(headersOf(allowance));
    if (!allowance.allowed) return tooManyRequests(limiter, allowance);
    if (!further || !furtherHeadersOf) return null;
    const second = further.take(key);
    if (second.remaining <= allowance.remaining) reply.headers(furtherHeadersOf(second));
    return second.allowed ? null : tooManyRequests(further, second);
  };
};

const tooManyRequests = ({ limit, windowSeconds }: RateLimiter, { resetSeconds }: Allowance): Problem => {
  const detail = `The rate limit of ${limit} requests in ${windowSeconds} s is used up. Try again in ${resetSeconds} s.`;
  return new Problem('too-many-requests', detail, { headers: { 'retry-after': String(resetSeconds) } });
};

type HeadersOf = (allowance: Pick<Allowance, 'remaining' | 'resetSeconds'>) => Readonly<Record<string, string>>;

/** Returns a function that returns the headers of a rate limit (contract 11.3). */
export const createRateLimitHeaders = ({ limit, windowSeconds }: RateLimit): HeadersOf => {
  const [limitText, policy] = [String(limit), `"default";q=${limit};w=${windowSeconds}`];
  return ({ remaining, resetSeconds }) => ({
    'ratelimit-limit': limitText,
    'ratelimit-policy': policy,
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
    ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
  });
};
