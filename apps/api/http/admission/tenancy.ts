import type { AccessPolicy } from '../../../../libs/settings/settings.js';
import type { TokenClaims } from '../../../../libs/ports/access-token.port.js';
import { SHARED_POOL } from '../../../../libs/eventsourcing/message.js';
import { UUID, UUID_WORDING } from '../patterns.js';
import { fieldProblem, Problem } from '../problems/problem.js';
import { OPS } from './access.js';

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
