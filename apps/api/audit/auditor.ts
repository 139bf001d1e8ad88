import type { Auditor } from '../../../libs/application/history/history.queries.js';
import { OPS } from '../http/admission/access.js';
import type { CallOf } from '../http/call.js';

/** Returns what a caller may see: data of the request's tenant, and personal values only with the scope ops (contract 35.10). */
export const auditorOf = ({ tenant, caller }: Pick<CallOf<object>, 'tenant' | 'caller'>): Auditor => ({
  tenant,
  isPersonalShown: caller?.scopes.has(OPS) === true,
});
