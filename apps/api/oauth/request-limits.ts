import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { formPolicy, sendPage } from '../describe/pages/page.js';
import type { Limiters } from '../http/admission/request-limits.js';
import type { RateLimiter } from '../http/admission/rate-limit.js';
import { addressKey, createCounter } from '../http/admission/request-counter.js';
import type { Attempt, FailedAttempts, Refused } from '../sign-in/failed-attempts.js';
import { ADDRESSES } from './addresses.js';
import { errorHtml } from './pages/error-page.js';

/** The addresses of metadata and public keys. Requests to them cost little, so they do not count (contract 11.1). */
const UNCOUNTED: ReadonlySet<string> = new Set([ADDRESSES.openidDiscovery, ADDRESSES.oauthDiscovery, ADDRESSES.jwks]);

/** Matches the addresses that people open in a browser. `/oauth/device/authorize` is no page: devices call it. */
const PAGES = new RegExp(
  `^(?:${[ADDRESSES.authorize, ADDRESSES.implicit, ADDRESSES.interaction, ADDRESSES.endSession].join('|')}|${ADDRESSES.device}$)`,
);

/**
 * Returns a hook that counts the requests from each IP address, towards the same limit as requests to operations. The
 * limit is needed because requests without a token cause work: they store sign-ins and device codes, and compute digests
 * of secrets (contract 11.2). Beyond the limit, pages answer with HTML, and other addresses with a problem.
 */
export const countOAuthRequests = (limiter: RateLimiter): onRequestHookHandler => {
  const count = createCounter(limiter);
  return (request, reply, done) => {
    const [pathname = ''] = request.url.split('?');
    const limited = UNCOUNTED.has(pathname) || request.method === 'OPTIONS' ? null : count(addressKey(request), reply);
    if (limited === null || !PAGES.test(pathname)) return done(limited ?? undefined);
    sendTooManyRequests(reply.headers(limited.headers), Number(limited.headers['retry-after']));
  };
};

/** Sends the page with the status 429, which tells a person how long to wait. */
export const sendTooManyRequests = (reply: FastifyReply, retrySeconds: number): void => {
  reply.header('x-frame-options', 'DENY').header('retry-after', String(retrySeconds));
  sendPage(reply, errorHtml('too_many_requests', retrySeconds), { status: 429, policy: formPolicy(), cacheControl: 'no-store' });
};

/** Begins an attempt to enter a password or a device code. */
export type BeginAttempt = (request: FastifyRequest) => Promise<Attempt | Refused>;

/** Returns a function that begins an attempt within the limits of sign-ins and of their failures (contract 32.3). */
export const attemptsWithin =
  ({ limiters, failedAttempts }: { readonly limiters: Limiters; readonly failedAttempts: FailedAttempts }): BeginAttempt =>
  async (request) => {
    const allowance = limiters.named('createAuthToken')?.take(addressKey(request));
    return allowance && !allowance.allowed ? { retrySeconds: allowance.resetSeconds } : failedAttempts.begin(addressKey(request));
  };
