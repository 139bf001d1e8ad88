import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { itOnOwnPetstore, startOwnPetstore } from '../servers/test-petstore.js';
import { openRacingShop, tally, countDifferentTexts, type RacingShop } from './racing.js';
import { card, openShop, PLAIN_PET, type Order, type Page, type Payment, type Pet, type Shop } from './shop.js';

/** The number of requests that the first suite sends. */
const CASES = 1_260;
const EXPIRY_CASES = 40;
const HOUR = 3_600_000;

let racing: RacingShop;
let shop: Shop;
beforeAll(async () => {
  racing = await openRacingShop();
  ({ shop } = racing);
});
afterAll(() => racing.close());
afterAll(removeFolders);

const race: RacingShop['race'] = (count, send) => racing.race(count, send);
const totalOf = async (path: string): Promise<number> => (await shop.requestAsStaff<Page<unknown>>('GET', path)).json.pagination.totalItems;
const placeOrder = async (): Promise<Order> => shop.placeOrder((await shop.listPet()).id);
const payment = (source: object) => ({ amount: '250.00', currency: 'USD', source });

/**
 * Proves contract 8.3, contract 9.2, contract 9.3, contract 13.3, contract 13.10, contract 15.4 and
 * contract 24.4.
 */
describe(`${CASES} concurrent requests`, () => {
  it('200 orders for one pet: one is placed', async () => {
    const pet = await shop.listPet();
    const responses = await race(200, (by) => by.request<Order>('POST', '/v1/orders', { body: { petId: pet.id } }));
    expect(tally(responses)).toEqual({ 201: 1, 409: 199 });
    await eventually('one order', async () => (await totalOf(`/v1/orders?petId=${pet.id}`)) === 1);
  });

  it('20 orders for each of 10 pets: one for each pet is placed', async () => {
    const pets = await Promise.all(Array.from({ length: 10 }, () => shop.listPet()));
    const responses = await race(200, (by, nth) => by.request<Order>('POST', '/v1/orders', { body: { petId: pets[nth % 10]?.id } }));
    expect(tally(responses)).toEqual({ 201: 10, 409: 190 });
    const sold = responses.filter(({ status }) => status === 201).map(({ json }) => json.petId);
    expect(new Set(sold).size).toBe(10);
  });

  it('100 payments of one order: one is accepted', async () => {
    const { id } = await placeOrder();
    expect(tally(await race(100, (by) => by.pay(id)))).toEqual({ 201: 1, 409: 99 });
    await shop.orderBecomes(id, 'approved');
  });

  it('100 payments of one order with one Idempotency-Key: one is accepted, and all responses are equal', async () => {
    const { id } = await placeOrder();
    const options = { idempotencyKey: randomUUID(), body: payment(card()) };
    const responses = await race(100, (by) => by.request<Payment>('POST', `/v1/orders/${id}/payment`, options));
    expect([tally(responses), countDifferentTexts(responses, 201)]).toEqual([{ 201: 100 }, 1]);
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(99);
  });

  it.each<[string, () => Promise<readonly [string, object, object]>]>([
    [
      'payments of one order',
      async () => [`/v1/orders/${(await placeOrder()).id}/payment`, payment(card()), payment(card('4111111111111111'))],
    ],
    ['orders for two pets', async () => ['/v1/orders', { petId: (await shop.listPet()).id }, { petId: (await shop.listPet()).id }]],
    ['pets', async () => ['/v1/pets', PLAIN_PET, { ...PLAIN_PET, name: 'Rusk' }]],
  ])('100 %s with one Idempotency-Key and two bodies: one body is accepted', async (_, open) => {
    const [path, ...bodies] = await open();
    const idempotencyKey = randomUUID();
    const responses = await race(100, (by, nth) => by.requestAsStaff('POST', path, { idempotencyKey, body: bodies[nth >= 50 ? 1 : 0] }));
    expect([tally(responses), countDifferentTexts(responses, 201)]).toEqual([{ 201: 50, 422: 50 }, 1]);
    expect(new Set([responses.slice(0, 50), responses.slice(50)].map((half) => countDifferentTexts(half, 201)))).toEqual(new Set([0, 1]));
  });

  it('a payment and a deletion of one order, 40 times: the deletion gets 204, and the pet is released', async () => {
    const orders = await Promise.all(Array.from({ length: 40 }, placeOrder));
    const path = (nth: number): string => `/v1/orders/${orders[nth >> 1]?.id}`;
    const isPayment = (nth: number): boolean => (nth + (nth >> 1)) % 2 === 0;
    const responses = await race(80, (by, nth) => (isPayment(nth) ? by.pay(orders[nth >> 1]?.id ?? '') : by.request('DELETE', path(nth))));
    expect(tally(responses.filter((_, nth) => !isPayment(nth)))).toEqual({ 204: 40 });
    for (const { status } of responses.filter((_, nth) => isPayment(nth))) expect([201, 404]).toContain(status);
    for (const { petId } of orders) await shop.petBecomes(petId, 'AVAILABLE');
  });

  it('an order and the deletion of its pet, 40 times: one of the two succeeds', async () => {
    const pets = await Promise.all(Array.from({ length: 40 }, () => shop.listPet()));
    const pet = (nth: number): string => pets[nth >> 1]?.id ?? '';
    const isOrder = (nth: number): boolean => (nth + (nth >> 1)) % 2 === 0;
    const responses = await race(80, (by, nth) =>
      isOrder(nth) ? by.request('POST', '/v1/orders', { body: { petId: pet(nth) } }) : by.requestAsStaff('DELETE', `/v1/pets/${pet(nth)}`),
    );
    const pairs = pets.map((_, index) => [responses[2 * index]?.status ?? 0, responses[2 * index + 1]?.status ?? 0]);
    for (const pair of pairs) expect(pair.filter((status) => status < 300)).toHaveLength(1);
    expect(responses.filter(({ status }) => ![201, 204, 404, 409].includes(status))).toEqual([]);
  });

  it('100 replacements of a pet with one If-Match: one gets 200, 99 get 412', async () => {
    const pet = await shop.listPet();
    const path = `/v1/pets/${pet.id}`;
    const ifMatch = (await eventually('the pet', async () => (await shop.request('GET', path)).headers.etag)) ?? '';
    const responses = await race(100, (by, nth) => by.requestAsStaff<Pet>('PUT', path, { ifMatch, body: { ...pet, name: `Name ${nth}` } }));
    expect(tally(responses)).toEqual({ 200: 1, 412: 99 });
  });

  it('50 replacements and 50 deletions of a pet with one If-Match: one of them succeeds', async () => {
    const pet = await shop.listPet();
    const path = `/v1/pets/${pet.id}`;
    const ifMatch = (await eventually('the pet', async () => (await shop.request('GET', path)).headers.etag)) ?? '';
    const responses = await race(100, (by, nth) =>
      nth >= 50
        ? by.requestAsStaff('DELETE', path, { ifMatch })
        : by.requestAsStaff('PUT', path, { ifMatch, body: { ...pet, name: `Name ${nth}` } }),
    );
    expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(responses.filter(({ status }) => ![200, 204, 404, 412].includes(status))).toEqual([]);
  });

  it('are as many as the title of this suite says', () => expect(racing.sent()).toBe(CASES));
});

/** Proves contract 13.7 and contract 24.2. */
describe(`${EXPIRY_CASES} requests at the time of expiry`, () => {
  itOnOwnPetstore('30 orders expire, are paid and are deleted concurrently: each ends in one state, with its pet', async () => {
    const clock = manualClock();
    const service = await startOwnPetstore({ DATA_DIR: newFolder(), ORDER_HOLD: '1h' }, { clock });
    try {
      const own = await openShop(service);
      const orders = await Promise.all(Array.from({ length: 30 }, async () => own.placeOrder((await own.listPet()).id)));
      clock.advance(HOUR - 1_000);
      // One third of the orders is paid, one third is deleted, and one third is paid and deleted. Meanwhile, all would expire.
      const paying = Promise.all(orders.map(async ({ id }, nth) => (nth % 3 === 1 ? null : own.pay(id))));
      const deleting = Promise.all(orders.map(async ({ id }, nth) => (nth % 3 === 0 ? null : own.request('DELETE', `/v1/orders/${id}`))));
      const passing = eventually('the time to pass', async () => (clock.advance(1_000), clock.now().getTime() > before + 30_000));
      const before = clock.now().getTime();
      const [paid, deleted] = await Promise.all([paying, deleting, passing]);
      for (const response of paid) expect([undefined, 201, 404, 409]).toContain(response?.status);
      for (const response of deleted) expect([undefined, 204, 404]).toContain(response?.status);
      for (const [nth, { id, petId }] of orders.entries()) {
        const expected = nth % 3 === 0 && paid[nth]?.status === 201 ? 'ADOPTED' : 'AVAILABLE';
        await eventually(`pet ${nth} to be ${expected}`, async () => {
          clock.advance(1_000);
          return (await own.request<Pet>('GET', `/v1/pets/${petId}`)).json.status === expected;
        });
        if (nth % 3 === 0)
          expect((await own.request<Order>('GET', `/v1/orders/${id}`)).json.status).toBe(
            paid[nth]?.status === 201 ? 'approved' : 'cancelled',
          );
      }
      const charged = service.charges().filter(({ outcome }) => outcome === 'succeeded');
      expect(new Set(charged.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(charged.length);
    } finally {
      await service.stop();
    }
  });
});
