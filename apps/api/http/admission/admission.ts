import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { AccessPolicy } from '../../../../libs/settings/settings.js';
import type { TokenClaims, TokenVerifier } from '../../../../libs/ports/access-token.port.js';
import { Call } from '../call.js';
import { OPS, type Access } from './access.js';
import { findOwnerRestriction, checkAccess, tokenInvalid } from './authorization.js';
import { callerNetwork } from './caller-network.js';
import { Problem } from '../problems/problem.js';
import type { Allowance, RateLimiter } from './rate-limit.js';
import { tenantOf } from './tenancy.js';

type AdmissionPorts = {
  readonly tokens: TokenVerifier;
  readonly policy: AccessPolicy;
  /** Null without a rate limit. */
  readonly limiter: RateLimiter | null;
};

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/** The claims in the token of a request, `none` without a token, or `invalid` for an invalid token. */
type Credential = TokenClaims | 'none' | 'invalid';

/**
 * Creates a hook that checks rate limit, token, scope and tenant, before the body is read (contract 2.5).
 */
export const createAdmission = (access: Access, { tokens, policy, limiter }: AdmissionPorts): Hook => {
  const requirement = access[policy];
  const countRequest = limiter ? createRequestCounter(limiter) : () => null;

  const admit = (credential: Credential, request: FastifyRequest, reply: FastifyReply): Problem | null => {
    const limited = countRequest(credential, request, reply);
    if (limited) return limited;
    // A token that is sent must be valid, even if the operation requires none (contract 5.4).
    if (credential === 'invalid') return tokenInvalid();
    const caller = credential === 'none' ? null : credential;
    const denied = checkAccess(requirement, caller);
    if (denied) return denied;
    const tenant = tenantOf(request.headers['x-tenant-id'] as string | undefined, caller, policy);
    if (typeof tenant !== 'string') return tenant;
    request.call = new Call(request.id, caller, tenant, findOwnerRestriction(requirement, caller));
    return null;
  };

  return (request, reply, done) => {
    const proceed = (credential: Credential): void => done(admit(credential, request, reply) ?? undefined);
    const header = request.headers.authorization;
    if (header === undefined) return proceed('none');
    const token = bearerToken(header);
    if (token === null || isRepeated(request, 'authorization')) return proceed('invalid');
    const verified = tokens.verify(token);
    if (verified instanceof Promise) verified.then((claims) => proceed(claims ?? 'invalid'), done);
    else proceed(verified ?? 'invalid');
  };
};

/**
 * Returns the token in an Authorization header, or null if the header has none (contract 5.1, RFC 6750, 2.1).
 */
const bearerToken = (header: string): string | null => /^bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1] ?? null;

/**
 * Returns whether a request has a header more than once.
 * Node uses the first one, but a proxy may have checked another.
 */
const isRepeated = ({ raw: { rawHeaders } }: FastifyRequest, name: string): boolean => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count > 1;
};

/**
 * Returns a function that counts a request (contract 11.2) and returns a problem if the limit is exceeded.
 */
const createRequestCounter = (limiter: RateLimiter) => {
  const setHeaders = createRateLimitHeaders(limiter);
  return (credential: Credential, request: FastifyRequest, reply: FastifyReply): Problem | null => {
    const claims = typeof credential === 'string' ? null : credential;
    if (claims?.scopes.has(OPS)) return null;
    const allowance = limiter.take(claims ? `subject:${claims.tenant ?? ''}:${claims.subject}` : `address:${callerNetwork(request.ip)}`);
    setHeaders(allowance, reply);
    if (allowance.allowed) return null;
    const { resetSeconds } = allowance;
    const detail = `The rate limit of ${limiter.limit} requests in ${limiter.windowSeconds} s is used up. Try again in ${resetSeconds} s.`;
    return new Problem('too-many-requests', detail, { headers: { 'retry-after': String(resetSeconds) } });
  };
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
