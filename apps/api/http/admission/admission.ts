import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { AccessPolicy } from '../../../../libs/settings/settings.js';
import { isProgramSubject, type TokenVerifier, type VerifiedClaims, type TokenClaims } from '../../../../libs/ports/access-token.port.js';
import { Call } from '../call.js';
import type { OperationRecord } from '../operation.js';
import { OPS } from './access.js';
import { checkAccess, checkBinding, checkClient, findOwnerRestriction, foreignToken, tokenInvalid } from './authorization.js';
import { bearerToken } from './bearer-token.js';
import { Problem, fieldProblem } from '../problems/problem.js';
import { type Limiters, requestLimit, type LimitName } from './request-limits.js';
import { addressKey, callerKey, createCounter } from './request-counter.js';
import { SHARED_POOL } from '../../../../libs/eventsourcing/message.js';
import { UUID, UUID_WORDING } from '../patterns.js';

type AdmissionPorts = {
  readonly tokens: TokenVerifier;
  readonly policy: AccessPolicy;
  readonly limiters: Pick<Limiters, 'common' | 'named'>;
};

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/** What the token of a request gives, `none` without a token, or `invalid` for an invalid token. */
type Credential = NonNullable<VerifiedClaims> | 'none' | 'invalid';

/**
 * Creates a hook that checks rate limit, token, scope and tenant, before the body is read (contract 2.5).
 */
export const createAdmission = (
  { access, limit, wholeStore, notForClients }: Pick<OperationRecord, 'access' | 'limit' | 'wholeStore' | 'notForClients'>,
  { tokens, policy, limiters }: AdmissionPorts,
): Hook => {
  const requirement = access[policy];
  const countRequest = createRequestCounter(limiters, limit);

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
 * Returns a function that counts a request (contract 11.2) and returns a problem if a limit is exceeded. Some limits count by
 * address, because otherwise a caller could register many accounts, and guess passwords with the allowance of each account.
 * Requests without a valid token always count by address.
 */
const createRequestCounter = (
  { common, named }: Pick<Limiters, 'common' | 'named'>,
  name: LimitName | undefined,
): ((credential: Credential, request: FastifyRequest, reply: FastifyReply) => Problem | null) => {
  if (!common) return () => null;
  const own = name === undefined ? null : requestLimit(name);
  const limiter = name === undefined ? null : named(name);
  const count = own?.commonLimit === 'replaced' && limiter ? createCounter(limiter) : createCounter(common, limiter);
  return (credential, request, reply) => {
    const claims = typeof credential === 'string' ? null : credential;
    if (claims?.scopes.has(OPS) && !own?.countsOperators) return null;
    return count(own?.countsBy === 'address' ? addressKey(request) : callerKey(request, claims), reply);
  };
};

/**
 * Returns the tenant in the header X-Tenant-ID, else the tenant of the token, else the shared pool (contract 6.1, 6.3, 6.4).
 * Returns a problem if the header is invalid, or if the token does not permit the tenant in the header.
 */
export const tenantOf = (header: string | undefined, caller: TokenClaims | null, policy: AccessPolicy): string | Problem => {
  if (header === undefined) return caller?.tenant ?? SHARED_POOL;
  if (!UUID.test(header)) return fieldProblem('invalid-request', [{ field: 'X-Tenant-ID', message: UUID_WORDING, code: 'INVALID_FORMAT' }]);
  const tenant = header.toLowerCase();
  if (!caller || caller.tenant === tenant) return tenant;
  if (caller.tenant !== undefined) return new Problem('forbidden', 'The token is bound to another tenant than the one in X-Tenant-ID.');
  if (policy === 'strict' && !caller.scopes.has(OPS))
    return new Problem('forbidden', 'The token is bound to no tenant. To act in the tenant of X-Tenant-ID it needs the scope ops.');
  return tenant;
};
