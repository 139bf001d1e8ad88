import type { QueryBus } from '@nestjs/cqrs';
import { GetAdoption } from '../../../libs/application/adoptions/adoption.queries.js';
import type { View } from '../../../libs/application/request.js';
import type { Call } from '../http/call.js';
import { Problem } from '../http/problems/problem.js';

type Viewer = Pick<Call, 'id' | 'tenant' | 'caller' | 'ownerRestriction'>;

/**
 * Returns whether a caller may see an application. A caller with a `manageToken` may see only the application of this token
 * (contract 36.7). Staff, for whom `ownerRestriction` is null, may see all. Any other caller may see their own.
 */
const isVisible = ({ fields }: View, { id, caller, ownerRestriction }: Viewer): boolean => {
  if (caller?.adoptionId !== undefined) return caller.adoptionId === id;
  return ownerRestriction === null || fields['userId'] === ownerRestriction;
};

/**
 * Returns the application with the id in the path. Throws a problem for an unknown id, and for an application of this tenant
 * that the caller may not see (contract 36.7).
 */
export const visibleAdoption = async (queries: QueryBus, viewer: Viewer): Promise<View> => {
  const adoption = await queries.execute(new GetAdoption(viewer.id, viewer.tenant));
  if (!adoption) throw new Problem('not-found', 'There is no adoption application with this id.');
  if (!isVisible(adoption, viewer)) throw new Problem('forbidden', 'Only the applicant and staff can use this adoption application.');
  return adoption;
};
