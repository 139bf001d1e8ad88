import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { card, CARDS, openShop, type Order, type Page, type Shop } from './shop.js';

const SLOW = 300;
const QUICK = 30;

let service: TestPetstore;
beforeAll(async () => {
  service = await startTestPetstore();
});
afterAll(() => service.stop());

/** Calls `work` with every item, ten at a time. */
const mapInParallel = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = [];
  const waiting = [...items.entries()];
  const next = async (): Promise<void> => {
    for (let entry = waiting.shift(); entry; entry = waiting.shift()) results[entry[0]] = await work(entry[1]);
  };
  await Promise.all(Array.from({ length: 10 }, next));
  return results;
};

/** Places `count` orders in the tenant of `shop`, each for a new pet. */
const placeOrders = (shop: Shop, count: number): Promise<readonly Order[]> =>
  mapInParallel(Array.from({ length: count }), async () => shop.placeOrder((await shop.listPet()).id));

const countApproved = async (shop: Shop): Promise<number> =>
  (await shop.requestAsStaff<Page<Order>>('GET', '/v1/orders?status=approved&limit=1')).json.pagination.totalItems;

/** Pays orders and returns the 99th percentile of the milliseconds until their approval. */
const p99OfPaying = async (shop: Shop, orders: readonly Order[]): Promise<number> => {
  const waits = await mapInParallel(orders, async ({ id }) => {
    const began = performance.now();
    await shop.pay(id);
    await eventually(
      `order ${id} to be approved`,
      async () => (await shop.request<Order>('GET', `/v1/orders/${id}`)).json.status === 'approved',
    );
    return performance.now() - began;
  });
  return Math.round(waits.toSorted((one, other) => one - other)[Math.ceil(waits.length * 0.99) - 1] ?? NaN);
};

/** Proves contract 15.9: lanes by tenant. */
describe(`${SLOW} slow payments of one tenant`, () => {
  it(`do not delay ${QUICK} payments of another tenant, which are approved while slow ones are processing`, async () => {
    const [slow, quick] = [await openShop(service), await openShop(service)];
    const [slowOrders, alone, whileSlowPaymentsRun] = [
      await placeOrders(slow, SLOW),
      await placeOrders(quick, QUICK),
      await placeOrders(quick, QUICK),
    ];
    const p99Alone = await p99OfPaying(quick, alone);
    let accepted = 0;
    const paying = mapInParallel(slowOrders, async ({ id }) => {
      const response = await slow.pay(id, card(CARDS.slow));
      if (response.status === 201) accepted++;
      return response;
    });
    // The last slow payments are sent during the measurement, so that some are processing until its end.
    await eventually('most of the slow payments to be accepted', () => accepted >= SLOW - 60);
    const p99 = await p99OfPaying(quick, whileSlowPaymentsRun);
    const left = SLOW - (await countApproved(slow));
    process.stdout.write(`approved at p99 after ${p99} ms while ${left} slow payments were under way, ${p99Alone} ms without them\n`);
    expect(left).toBeGreaterThan(0);
    expect((await paying).filter(({ status }) => status !== 201)).toEqual([]);
  });
});
