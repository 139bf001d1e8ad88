import type { TokenClaims } from '../../../../libs/ports/access-token.port.js';
import { Problem } from '../problems/problem.js';
import type { Requirement, Scope } from './access.js';

/** "Staff means a bearer token … with the stated scope": who deals with everybody's orders. */
const STAFF: Scope = 'write:orders';

const REALM = 'Bearer realm="petstore"';

/** The challenge to a request without a token where one is needed. */
const tokenMissing = (): Problem =>
  new Problem('unauthorized', 'This operation needs an access token.', { headers: { 'www-authenticate': REALM } });

/** RFC 6750, 3.1, for a token that is expired, revoked, malformed or none of ours. */
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

/** Whether a caller (null for nobody known) may go on; the problem if not. */
export const refuseAccess = (requirement: Requirement, caller: TokenClaims | null): Problem | null => {
  if (requirement === 'nothing') return null;
  if (!caller) return tokenMissing();
  if (typeof requirement === 'string' || caller.scopes.has(requirement.scope)) return null;
  return scopeMissing(requirement.scope);
};

/** To whose orders a caller is confined; null when to nobody's. */
export const confinedTo = (requirement: Requirement, caller: TokenClaims | null): string | null =>
  requirement === 'owner' && caller && !caller.scopes.has(STAFF) ? caller.subject : null;
