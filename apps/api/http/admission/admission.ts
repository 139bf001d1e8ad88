import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { AccessPolicy } from '../../../../libs/settings/settings.js';
import { isProgramSubject, type TokenVerifier, type VerifiedClaims } from '../../../../libs/ports/access-token.port.js';
import { Call } from '../call.js';
import type { OperationRecord } from '../operation.js';
import { OPS } from './access.js';
import { checkAccess, checkBinding, checkClient, findOwnerRestriction, foreignToken, tokenInvalid } from './authorization.js';
import { bearerToken } from './bearer-token.js';
import type { Problem } from '../problems/problem.js';
import type { RateLimiter } from './rate-limit.js';
import { addressKey, callerKey, createCounter } from './request-counter.js';
import { tenantOf } from './tenancy.js';

type AdmissionPorts = {
  readonly tokens: TokenVerifier;
  readonly policy: AccessPolicy;
  /** Null if RATE_LIMIT is `off`. */
  readonly limiter: RateLimiter | null;
  /** Null if the operation has no second limit, or if RATE_LIMIT is `off`. */
  readonly furtherLimiter: RateLimiter | null;
};

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/** What the token of a request gives, `none` without a token, or `invalid` for an invalid token. */
type Credential = NonNullable<VerifiedClaims> | 'none' | 'invalid';

/**
 * Creates a hook that checks rate limit, token, scope and tenant, before the body is read (contract 2.5).
 */
export const createAdmission = (
  { access, rateLimit, wholeStore, notForClients }: Pick<OperationRecord, 'access' | 'rateLimit' | 'wholeStore' | 'notForClients'>,
  { tokens, policy, limiter, furtherLimiter }: AdmissionPorts,
): Hook => {
  const requirement = access[policy];
  const countRequest = limiter ? createRequestCounter(createCounter(limiter, furtherLimiter), rateLimit) : () => null;

  const admit = (credential: Credential, request: FastifyRequest, reply: FastifyReply): Problem | null => {
    const limited = countRequest(credential, request, reply);
    if (limited) return limited;
    // A token that is sent must be valid, even if the operation requires none (contract 5.4).
    if (credential === 'invalid') return tokenInvalid();
    if (credential === 'foreign issuer' || credential === 'foreign key') return foreignToken(credential);
    const caller = credential === 'none' ? null : credential;
    request.subject = caller?.subject;
    const denied = checkAccess(requirement, caller);
    if (denied) return denied;
    const tenant = tenantOf(request.headers['x-tenant-id'] as string | undefined, caller, policy);
    if (typeof tenant !== 'string') return tenant;
    const unfit = (wholeStore ? checkBinding(requirement, caller) : null) ?? (notForClients ? checkClient(caller) : null);
    if (unfit) return unfit;
    if (caller && (caller.scopes.has(OPS) || isProgramSubject(caller.subject))) request.continueTrace?.();
    request.call = new Call(request.id, caller, tenant, findOwnerRestriction(requirement, caller), request.span?.traceparent);
    return null;
  };

  return (request, reply, done) => {
    const proceed = (credential: Credential): void => done(admit(credential, request, reply) ?? undefined);
    const token = bearerToken(request);
    if (typeof token !== 'string') return proceed(token === undefined ? 'none' : 'invalid');
    const verified = tokens.verify(token);
    if (verified instanceof Promise) verified.then((claims) => proceed(claims ?? 'invalid'), done);
    else proceed(verified ?? 'invalid');
  };
};

/**
 * Returns a function that counts a request (contract 11.2) and returns a problem if the limit is exceeded. `own` is the limit of
 * the operation itself: it counts by address, because otherwise a caller could register many accounts, and guess passwords with
 * the allowance of each account. Requests without a valid token always count by address.
 */
const createRequestCounter =
  (count: ReturnType<typeof createCounter>, own: OperationRecord['rateLimit']) =>
  (credential: Credential, request: FastifyRequest, reply: FastifyReply): Problem | null => {
    const claims = typeof credential === 'string' ? null : credential;
    if (claims?.scopes.has(OPS) && !own?.countsOperators) return null;
    return count(own ? addressKey(request) : callerKey(request, claims), reply);
  };
