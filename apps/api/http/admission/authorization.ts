import type { TokenClaims } from '../../../../libs/ports/access-token.port.js';
import { Problem } from '../problems/problem.js';
import { OPS, type Requirement, type Scope } from './access.js';

/** The scopes of staff, who may access the orders or the accounts of all users (contract 5.5). */
const STAFF: Readonly<Partial<Record<Extract<Requirement, string>, Scope | typeof OPS>>> = { owner: 'write:orders', account: OPS };

const REALM = 'Bearer realm="petstore"';

/** Creates the problem of a missing token (contract 5.4). */
const tokenMissing = (): Problem =>
  new Problem('unauthorized', 'This operation needs an access token.', { headers: { 'www-authenticate': REALM } });

/** Creates the problem of an invalid token (contract 5.4, RFC 6750, 3.1). */
export const tokenInvalid = (): Problem =>
  new Problem('unauthorized', 'The access token is expired, malformed or not one of this service.', {
    headers: {
      'www-authenticate': `${REALM}, error="invalid_token", error_description="The access token is expired, malformed or unknown"`,
    },
  });

/** Creates the problem of a wrong username or password. It does not tell which of them is wrong (contract 30.7). */
export const signInFailed = (): Problem =>
  new Problem('unauthorized', 'The username or the password is wrong.', { headers: { 'www-authenticate': REALM } });

const scopeMissing = (scope: string): Problem =>
  new Problem('forbidden', `This operation needs a token with scope ${scope}.`, {
    headers: { 'www-authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` },
  });

/** Returns a problem if the caller does not meet the requirement. `caller` is null without a token. */
export const checkAccess = (requirement: Requirement, caller: TokenClaims | null): Problem | null => {
  if (requirement === 'nothing') return null;
  if (!caller) return tokenMissing();
  if (typeof requirement === 'string' || caller.scopes.has(requirement.scope)) return null;
  return scopeMissing(requirement.scope);
};

/** Returns the only user whose orders or account the caller may access, or null for all users (contract 5.8). */
export const findOwnerRestriction = (requirement: Requirement, caller: TokenClaims | null): string | null => {
  const staff = typeof requirement === 'string' ? STAFF[requirement] : undefined;
  return staff !== undefined && caller && !caller.scopes.has(staff) ? caller.subject : null;
};
