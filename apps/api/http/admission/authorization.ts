import type { TokenClaims } from '../../../../libs/ports/access-token.port.js';
import { Problem } from '../problems/problem.js';
import type { Requirement, Scope } from './access.js';

/** The scope of staff, who may access the orders of all users (contract 5.5). */
const STAFF: Scope = 'write:orders';

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

const scopeMissing = (scope: Scope): Problem =>
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

/** Returns the only user whose orders the caller may access, or null for all users (contract 5.8). */
export const findOwnerRestriction = (requirement: Requirement, caller: TokenClaims | null): string | null =>
  requirement === 'owner' && caller && !caller.scopes.has(STAFF) ? caller.subject : null;
