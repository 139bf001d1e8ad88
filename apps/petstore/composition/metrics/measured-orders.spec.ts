import { expect, it } from '@jest/globals';
import { ListStuck } from '../../../../libs/application/operations/stuck.queries.js';
import { measuredOrders } from './measured-orders.js';

const sources = () => {
  const executed: unknown[] = [];
  const queries = {
    execute: async (query: object) => {
      executed.push(query);
      return { kinds: [{ kind: 'order-not-approved', count: 3, oldest: '2026-01-02T03:04:05.678Z' }] } as never;
    },
  };
  return { executed, ...measuredOrders(queries) };
};

it('what has waited for more than a minute is counted by kind, and not explained', async () => {
  const { executed, countStuck } = sources();
  expect(await countStuck()).toEqual([{ kind: 'order-not-approved', count: 3, oldest: '2026-01-02T03:04:05.678Z' }]);
  expect(executed).toEqual([new ListStuck(60_000, 0)]);
});
