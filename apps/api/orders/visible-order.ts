import type { QueryBus } from '@nestjs/cqrs';
import { GetOrder } from '../../../libs/application/orders/order.queries.js';
import type { View } from '../../../libs/application/request.js';
import type { Call } from '../http/call.js';
import { Problem } from '../http/problems/problem.js';

type Viewer = Pick<Call, 'id' | 'tenant' | 'ownerRestriction'>;

/**
 * Returns whether the caller may see an order, its payment or its receipt. `ownerRestriction` is the only user whose orders
 * the caller may see, or null for all users.
 */
export const isVisible = ({ fields }: View, ownerRestriction: string | null): boolean =>
  ownerRestriction === null || fields['userId'] === ownerRestriction;

/**
 * Returns the order with the id in the path. Throws a 404 problem if the order does not exist or belongs to another user. With
 * a 403 for the orders of others, callers could find out which ids exist (contract 5.8).
 */
export const visibleOrder = async (queries: QueryBus, { id, tenant, ownerRestriction }: Viewer): Promise<View> => {
  const order = await queries.execute(new GetOrder(id, tenant));
  if (!order || !isVisible(order, ownerRestriction)) throw new Problem('not-found', 'There is no order with this id.');
  return order;
};
