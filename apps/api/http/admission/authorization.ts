import { FREE_FAILURES, MAX_WAIT_SECONDS } from '../../../../libs/application/sessions/attempt-rules.js';
import type { ForeignToken, TokenClaims } from '../../../../libs/ports/access-token.port.js';
import { Problem } from '../problems/problem.js';
import { OPS, scopesOf, STAFF, type Requirement } from './access.js';
import { createRateLimitHeaders } from './request-counter.js';

const REALM = 'Bearer realm="petstore"';

/** Creates the problem of a missing token (contract 5.4). */
export const tokenMissing = (): Problem =>
  new Problem('unauthorized', 'This operation needs an access token, in the header Authorization: Bearer <token>.', {
    headers: { 'www-authenticate': REALM },
  });

/** For each reason, the text of the problem and the description in its challenge. */
const FOREIGN: Readonly<Record<ForeignToken, readonly [detail: string, description: string]>> = {
  'foreign issuer': [
    'The access token names another issuer than this service, although a key of this service signed it. ' +
      'The address of the service has changed since: get a new token.',
    'The access token names another issuer',
  ],
  'foreign key': [
    'The access token is signed with a key that this store does not have: it is a token of another store, or its key was removed. ' +
      'Get a new token: sign in here, or run the command token with the DATA_DIR of this service.',
    'The access token names a key that this store does not have',
  ],
};

/** Creates the problem of a token of another issuer or another store (contract 5.4). */
export const foreignToken = (reason: ForeignToken): Problem => {
  const [detail, description] = FOREIGN[reason];
  return new Problem('unauthorized', detail, {
    headers: { 'www-authenticate': `${REALM}, error="invalid_token", error_description="${description}"` },
  });
};

/** Creates the problem of an invalid token (contract 5.4, RFC 6750, 3.1). */
export const tokenInvalid = (): Problem =>
  new Problem(
    'unauthorized',
    'The access token is expired, malformed or not issued for this service. The header is Authorization: Bearer <token>.',
    {
      headers: {
        'www-authenticate': `${REALM}, error="invalid_token", error_description="The access token is expired, malformed or unknown"`,
      },
    },
  );

/** Creates the problem of a wrong username or password. The problem does not say which of the two is wrong (contract 30.7). */
export const signInFailed = (): Problem =>
  new Problem('unauthorized', 'The username or the password is wrong.', { headers: { 'www-authenticate': REALM } });

/** Creates the problem of an account for which too many passwords were tried (contract 30.7). */
export const tooManyAttempts = (retrySeconds: number): Problem =>
  new Problem('too-many-requests', `Too many sign-ins to this account. Try again in ${retrySeconds} s.`, {
    // The limit of the account is the one with fewer attempts left (contract 11.3).
    headers: { 'retry-after': String(retrySeconds), ...attemptHeaders({ remaining: 0, resetSeconds: retrySeconds }) },
  });

/** Creates the problem of an address from which too many sign-ins failed (contract 11.2). */
export const tooManyFailures = (retrySeconds: number): Problem =>
  new Problem('too-many-requests', `Too many sign-ins from your address have failed. Try again in ${retrySeconds} s.`, {
    headers: { 'retry-after': String(retrySeconds) },
  });

const attemptHeaders = createRateLimitHeaders({ limit: FREE_FAILURES, windowSeconds: MAX_WAIT_SECONDS });

/** Creates the problem of a sign-in while an outside issuer signs users in (contract 33.1). */
export const signInElsewhere = (issuer: string): Problem =>
  new Problem('forbidden', `Sign-in is off here: access tokens come from ${issuer}.`);

/** Creates the problem of a token that lacks the required scope, or all of those of which it needs one (contract 5.4). */
export const scopeMissing = (...scopes: readonly string[]): Problem =>
  new Problem('forbidden', scopeText(scopes), {
    headers: { 'www-authenticate': `${REALM}, error="insufficient_scope", scope="${scopes[0]}"` },
  });

/** Returns the text of the problem of a token without these scopes. */
export const scopeText = (scopes: readonly string[]): string => `This operation needs a token with scope ${scopes.join(' or ')}.`;

const tokenOfApplication = (): Problem =>
  new Problem('forbidden', 'This token is for one adoption application only. It can only read, withdraw and delete this application.');

/** Returns a problem if the caller does not meet the requirement. `caller` is null without a token. */
export const checkAccess = (requirement: Requirement, caller: TokenClaims | null): Problem | null => {
  // The token of an adoption application is valid for that application only. Without this check, operations that accept any
  // token would accept it (contract 36.7).
  if (caller?.adoptionId !== undefined) return requirement === 'applicant' ? null : tokenOfApplication();
  if (requirement === 'nothing') return null;
  if (!caller) return tokenMissing();
  if (typeof requirement === 'string' || scopesOf(requirement).some((scope) => caller.scopes.has(scope))) return null;
  return scopeMissing(...scopesOf(requirement));
};

/**
 * Returns a problem if the caller's token is bound to a tenant, unless the operation requires no token. Admission calls this
 * function only for operations of the whole store (contract 6.5).
 */
export const checkBinding = (requirement: Requirement, caller: TokenClaims | null): Problem | null =>
  requirement === 'nothing' || caller?.tenant === undefined
    ? null
    : new Problem('forbidden', 'This operation is for the whole store. It needs a token that is bound to no tenant.');

/**
 * Returns a problem if the caller's token was issued to an OAuth client without the scope `ops`. Admission calls this
 * function only for operations with `notForClients` (contract 5.8).
 */
export const checkClient = (caller: TokenClaims | null): Problem | null =>
  caller?.client === undefined || caller.scopes.has(OPS)
    ? null
    : new Problem('forbidden', 'OAuth clients cannot use this operation without the scope ops. Use a token from POST /v1/auth/tokens.');

/** Returns the only user whose data the caller may access, or null for all users (contract 5.8). */
export const findOwnerRestriction = (requirement: Requirement, caller: TokenClaims | null): string | null => {
  const staff = typeof requirement === 'string' ? STAFF[requirement] : undefined;
  if (staff === undefined || !caller) return null;
  return staff !== null && caller.scopes.has(staff) ? null : caller.subject;
};
