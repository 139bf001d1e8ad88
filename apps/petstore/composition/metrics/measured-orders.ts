import type { QueryBus } from '@nestjs/cqrs';
import { ListStuck, STUCK_AFTER, type StuckCount } from '../../../../libs/application/operations/stuck.queries.js';
import { CountByStatus } from '../../../../libs/application/operations/watching.queries.js';

/** How many orders there are, and what is stuck. */
export type OrderSources = {
  /** Returns the number of orders that are not removed, by status. */
  readonly countOrders: () => Promise<Readonly<Record<string, number>>>;
  /** Returns the numbers of what is stuck (contract 43.9). A kind without any is absent. */
  readonly countStuck: () => Promise<readonly StuckCount[]>;
};

/** Returns the sources of measurements that a process has which serves the api. */
export const measuredOrders = (queries: Pick<QueryBus, 'execute'>): OrderSources => ({
  countOrders: async () => queries.execute(new CountByStatus('orders')),
  // Only the numbers are shown, so no item is explained.
  countStuck: async () => (await queries.execute(new ListStuck(STUCK_AFTER, 0))).kinds,
});
