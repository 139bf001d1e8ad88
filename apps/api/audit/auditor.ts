import type { Auditor } from '../../../libs/application/history/history.queries.js';
import { OPS } from '../http/admission/access.js';
import type { CallOf } from '../http/call.js';
import { Problem } from '../http/problems/problem.js';

/** Returns what a caller may see: data of the request's tenant, and personal values only with the scope ops (contract 35.10). */
export const auditorOf = ({ tenant, caller }: Pick<CallOf<object>, 'tenant' | 'caller'>): Auditor => ({
  tenant,
  isPersonalShown: caller?.scopes.has(OPS) === true,
});

/**
 * Returns the tenant whose events the caller reads, or null if the query requests all tenants with `tenant=*` (contract
 * 35.13). Throws a 403 problem if the token does not permit `tenant=*`.
 */
export const tenantOfLog = ({ query, tenant, caller }: CallOf<{ query: { readonly tenant?: string } }>): string | null => {
  if (query.tenant === undefined) return tenant;
  requireAllTenants(caller);
  return null;
};

/** Throws a 403 problem if the caller may not read the events of all tenants (contract 35.13). */
export const requireAllTenants = (caller: CallOf<object>['caller']): void => {
  if (caller?.scopes.has(OPS) !== true || caller.tenant !== undefined)
    throw new Problem('forbidden', 'To read the events of all tenants, a token needs the scope ops and must be bound to no tenant.');
};
