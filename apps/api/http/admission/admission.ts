import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { AccessPolicy } from '../../../../libs/settings/settings.js';
import type { TokenClaims, TokenVerifier } from '../../../../libs/ports/access-token.port.js';
import { Call } from '../call.js';
import { OPS, type Access } from './access.js';
import { confinedTo, refuseAccess, tokenInvalid } from './authorization.js';
import { callerNetwork } from './caller-network.js';
import { Problem } from '../problems/problem.js';
import type { Allowance, RateLimiter } from './rate-limit.js';
import { tenantOf } from './tenancy.js';

type AdmissionPorts = {
  readonly tokens: TokenVerifier;
  readonly policy: AccessPolicy;
  /** Null when nothing is limited. */
  readonly limiter: RateLimiter | null;
};

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/** A token is a caller's word for who they are: none sent, a valid one, or one that is not. */
type Credential = TokenClaims | 'none' | 'invalid';

/** Who calls, whether they have calls left, in which tenant, and whether they may: settled before the body is read. */
export const createAdmission = (access: Access, { tokens, policy, limiter }: AdmissionPorts): Hook => {
  const requirement = access[policy];
  const charge = limiter ? chargeBy(limiter) : () => null;

  const admit = (credential: Credential, request: FastifyRequest, reply: FastifyReply): Problem | null => {
    const overdrawn = charge(credential, request, reply);
    if (overdrawn) return overdrawn;
    // A credential that is sent must be valid, also where none is needed.
    if (credential === 'invalid') return tokenInvalid();
    const caller = credential === 'none' ? null : credential;
    const refused = refuseAccess(requirement, caller);
    if (refused) return refused;
    const tenant = tenantOf(request.headers['x-tenant-id'] as string | undefined, caller, policy);
    if (typeof tenant !== 'string') return tenant;
    request.call = new Call(request.id, caller, tenant, confinedTo(requirement, caller));
    return null;
  };

  return (request, reply, done) => {
    const goOn = (credential: Credential): void => done(admit(credential, request, reply) ?? undefined);
    const header = request.headers.authorization;
    if (header === undefined) return goOn('none');
    const token = bearerToken(header);
    if (token === null || hasSeveral(request, 'authorization')) return goOn('invalid');
    const verified = tokens.verify(token);
    if (verified instanceof Promise) verified.then((claims) => goOn(claims ?? 'invalid'), done);
    else goOn(verified ?? 'invalid');
  };
};

/** RFC 6750, 2.1; the scheme in any case, as RFC 9110 has it. */
const bearerToken = (header: string): string | null => /^bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1] ?? null;

/** Whether a header was sent more than once: Node keeps the first Authorization, and a proxy before it may have checked the other. */
const hasSeveral = ({ raw: { rawHeaders } }: FastifyRequest, name: string): boolean => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count > 1;
};

/** "Default 600 a minute per token subject, else per address; … scope `ops` is exempt." */
const chargeBy = (limiter: RateLimiter) => {
  const show = showAllowance(limiter);
  return (credential: Credential, request: FastifyRequest, reply: FastifyReply): Problem | null => {
    const known = typeof credential === 'string' ? null : credential;
    if (known?.scopes.has(OPS)) return null;
    const allowance = limiter.take(known ? `subject:${known.tenant ?? ''}:${known.subject}` : `address:${callerNetwork(request.ip)}`);
    show(allowance, reply);
    if (allowance.allowed) return null;
    const { resetSeconds } = allowance;
    const detail = `The rate limit of ${limiter.limit} requests in ${limiter.windowSeconds} s is used up. Try again in ${resetSeconds} s.`;
    return new Problem('too-many-requests', detail, { headers: { 'retry-after': String(resetSeconds) } });
  };
};

/** "`RateLimit-Limit/-Remaining/-Reset` …, plus the newer `RateLimit` and `RateLimit-Policy` fields from the same source." */
const showAllowance = ({ limit, windowSeconds }: RateLimiter) => {
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
