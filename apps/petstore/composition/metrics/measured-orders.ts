import type { QueryBus } from '@nestjs/cqrs';
import { ListStuck, STUCK_AFTER, type StuckCount } from '../../../../libs/application/operations/stuck.queries.js';
import { ORDER_STATUSES } from '../../../../libs/domain/orders/order.events.js';
import type { Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import { ordersProjection } from '../../../../libs/projections/orders.projection.js';

/** How many orders there are, and what is stuck. */
export type OrderSources = {
  /** Returns the number of orders that are not removed, by status. */
  readonly countOrders: () => Promise<Readonly<Record<string, number>>>;
  /** Returns the numbers of what is stuck (contract 43.9). A kind without any is absent. */
  readonly countStuck: () => Promise<readonly StuckCount[]>;
};

/**
 * Returns the sources of measurements that a process has which serves the api. Counts orders one by one: the sum of the
 * cells would be their quantities.
 */
export const measuredOrders = (documents: Pick<Documents, 'count'>, queries: Pick<QueryBus, 'execute'>): OrderSources => ({
  async countOrders() {
    const count = (status: string): Promise<number> => documents.count(ordersProjection.collection, { status });
    return Object.fromEntries(await Promise.all(ORDER_STATUSES.map(async (status) => [status, await count(status)] as const)));
  },
  // Only the numbers are shown, so no item is explained.
  countStuck: async () => (await queries.execute(new ListStuck(STUCK_AFTER, 0))).kinds,
});
