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
 * Returns the application with the id in the path. Throws the same 404 problem for an unknown id and for an application that
 * the caller may not see. So callers cannot find out which ids exist (contract 5.8).
 */
export const visibleAdoption = async (queries: QueryBus, viewer: Viewer): Promise<View> => {
  const adoption = await queries.execute(new GetAdoption(viewer.id, viewer.tenant));
  if (!adoption || !isVisible(adoption, viewer)) throw new Problem('not-found', 'There is no adoption application with this id.');
  return adoption;
};
