import type { QueryBus } from '@nestjs/cqrs';
import { GetOrder } from '../../../libs/application/orders/order.queries.js';
import type { View } from '../../../libs/application/request.js';
import type { Call } from '../http/call.js';
import { Problem } from '../http/problems/problem.js';

type Viewer = Pick<Call, 'id' | 'tenant' | 'ownerRestriction'>;

/** Returns whether a caller with this restriction may see an order or its payment. */
export const isVisible = ({ fields }: View, ownerRestriction: string | null): boolean =>
  ownerRestriction === null || fields['userId'] === ownerRestriction;

/**
 * Returns the order. Throws a 404 problem if it does not exist, and also if it belongs to another user, so
 * that callers cannot find out ids (contract 5.8).
 */
export const visibleOrder = async (queries: QueryBus, { id, tenant, ownerRestriction }: Viewer): Promise<View> => {
  const order = await queries.execute(new GetOrder(id, tenant));
  if (!order || !isVisible(order, ownerRestriction)) throw new Problem('not-found', 'There is no order with this id.');
  return order;
};
