import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../eventually.js';
import { startStore, type TestStore } from '../servers/store.js';
import { card, CARDS, openShop, type Order, type Page, type Shop } from './shop.js';

// A store that stops waits for the slow charges in hand.
jest.setTimeout(180_000);

const SLOW = 300;
const QUICK = 30;

let store: TestStore;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());

/** Does something with each of some, ten at once. */
const each = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = [];
  const waiting = [...items.entries()];
  const next = async (): Promise<void> => {
    for (let taken = waiting.shift(); taken; taken = waiting.shift()) results[taken[0]] = await work(taken[1]);
  };
  await Promise.all(Array.from({ length: 10 }, next));
  return results;
};

/** Orders of a tenant, to be paid. */
const ordersOf = (shop: Shop, count: number): Promise<readonly Order[]> =>
  each(Array.from({ length: count }), async () => shop.placeOrder((await shop.listPet()).id));

const approvedOf = async (shop: Shop): Promise<number> =>
  (await shop.askAsStaff<Page<Order>>('GET', '/v1/orders?status=approved&limit=1')).json.pagination.totalItems;

/** Pays orders and answers the milliseconds until the slowest was approved, but for one in a hundred. */
const p99OfPaying = async (shop: Shop, orders: readonly Order[]): Promise<number> => {
  const waits = await each(orders, async ({ id }) => {
    const began = performance.now();
    await shop.pay(id);
    await eventually(
      `order ${id} to be approved`,
      async () => (await shop.ask<Order>('GET', `/v1/orders/${id}`)).json.status === 'approved',
      60_000,
    );
    return performance.now() - began;
  });
  return Math.round(waits.toSorted((one, other) => one - other)[Math.ceil(waits.length * 0.99) - 1] ?? NaN);
};

describe(`${SLOW} slow payments of one tenant`, () => {
  it(`delay none of another’s ${QUICK}: those are all approved while slow ones are under way`, async () => {
    const [slow, quick] = [await openShop(store), await openShop(store)];
    const [slowOrders, alone, beside] = [await ordersOf(slow, SLOW), await ordersOf(quick, QUICK), await ordersOf(quick, QUICK)];
    const p99Alone = await p99OfPaying(quick, alone);
    let accepted = 0;
    const paying = each(slowOrders, async ({ id }) => {
      const answer = await slow.pay(id, card(CARDS.slow));
      if (answer.status === 201) accepted++;
      return answer;
    });
    // The last ones come while the others' are paid: on a slow machine, too, some are under way until the end.
    await eventually('most of the slow ones to be accepted', () => accepted >= SLOW - 60, 60_000);
    const p99 = await p99OfPaying(quick, beside);
    const left = SLOW - (await approvedOf(slow));
    process.stdout.write(`approved at p99 after ${p99} ms while ${left} slow payments were under way, ${p99Alone} ms without them\n`);
    expect(left).toBeGreaterThan(0);
    expect((await paying).filter(({ status }) => status !== 201)).toEqual([]);
  });
});
