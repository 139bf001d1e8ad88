import { expect, it } from '@jest/globals';
import { ListStuck } from '../../../../libs/application/operations/stuck.queries.js';
import type { Collection, Where } from '../../../../libs/eventsourcing/ports/documents.port.js';
import { ordersProjection } from '../../../../libs/projections/orders.projection.js';
import { measuredOrders } from './measured-orders.js';

const NUMBERS: Readonly<Record<string, number>> = { placed: 8, approved: 0, shipped: 2, delivered: 900, cancelled: 40 };

const sources = () => {
  const executed: unknown[] = [];
  const documents = {
    count: async ({ name }: Collection, { status }: Where) =>
      name === ordersProjection.collection.name && typeof status === 'string' ? (NUMBERS[status] ?? -1) : -1,
  };
  const queries = {
    execute: async (query: object) => {
      executed.push(query);
      return { kinds: [{ kind: 'order-not-approved', count: 3, oldest: '2026-01-02T03:04:05.678Z' }] } as never;
    },
  };
  return { executed, ...measuredOrders(documents, queries) };
};

it('orders are counted by status, each as one, whatever their quantity', async () =>
  expect(await sources().countOrders()).toEqual(NUMBERS));

it('what has waited for more than a minute is counted by kind, and not explained', async () => {
  const { executed, countStuck } = sources();
  expect(await countStuck()).toEqual([{ kind: 'order-not-approved', count: 3, oldest: '2026-01-02T03:04:05.678Z' }]);
  expect(executed).toEqual([new ListStuck(60_000, 0)]);
});
