import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import type { HttpResponse } from '../servers/client.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { itOnOwnPetstore, startOwnPetstore, startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { openRacingShop } from './racing.js';
import { card, openShop, PLAIN_PET, type Order, type Page, type Payment, type Pet, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop().then(removeFolders));

const times = <T>(count: number, send: (nth: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, nth) => send(nth)));

/** Counts the responses by status. */
const tally = (responses: readonly HttpResponse[]) =>
  Object.fromEntries([...Map.groupBy(responses, ({ status }) => status)].map(([status, { length }]) => [status, length]));

/** Proves contract 9.5, contract 13.3, contract 15.4, contract 24.2, contract 24.4 and contract 39.3. */
describe('concurrent requests', () => {
  it('to order one pet: one gets 201, 49 get 409', async () => {
    const pet = await shop.listPet();
    const responses = await times(50, (nth) =>
      shop.request<Order>('POST', '/v1/orders', { body: { petId: pet.id, userId: `buyer-${nth}` } }),
    );
    expect(tally(responses)).toEqual({ 201: 1, 409: 49 });
    const { data } = (await shop.requestAsStaff<Page<Order>>('GET', `/v1/orders?petId=${pet.id}`)).json;
    expect(data).toEqual([responses.find(({ status }) => status === 201)?.json]);
  });

  it.each([
    ['without a token', undefined],
    ['with a token', 'read:pets'],
  ])('with one Idempotency-Key %s: one order is placed, and a hundred responses are equal', async (_, scope) => {
    const pet = await shop.listPet();
    const options = { idempotencyKey: randomUUID(), body: { petId: pet.id }, token: scope && (await service.token(scope)) };
    const responses = await times(100, () => shop.request<Order>('POST', '/v1/orders', options));
    expect(tally(responses)).toEqual({ 201: 100 });
    expect(new Set(responses.map(({ text, headers }) => `${text} ${headers.location} ${headers.etag}`)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(99);
    expect((await shop.requestAsStaff<Page<Order>>('GET', `/v1/orders?petId=${pet.id}`)).json.pagination.totalItems).toBe(1);
  });

  it('to create a pet with one Idempotency-Key: one pet is created', async () => {
    const own = await openShop(service);
    const options = { idempotencyKey: randomUUID(), body: PLAIN_PET };
    const responses = await times(100, () => own.requestAsStaff<Pet>('POST', '/v1/pets', options));
    expect(tally(responses)).toEqual({ 201: 100 });
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(99);
    expect((await own.request<Page<Pet>>('GET', '/v1/pets')).json.pagination.totalItems).toBe(1);
  });

  it('to replace a pet with one If-Match: one gets 200, 99 get 412', async () => {
    const pet = await shop.listPet();
    const path = `/v1/pets/${pet.id}`;
    const ifMatch = (await shop.request('GET', path)).headers.etag ?? '';
    const responses = await times(100, (nth) => shop.requestAsStaff<Pet>('PUT', path, { ifMatch, body: { ...pet, name: `Name ${nth}` } }));
    expect(tally(responses)).toEqual({ 200: 1, 412: 99 });
    expect((await shop.request('GET', path)).json).toEqual(responses.find(({ status }) => status === 200)?.json);
  });

  it('to create pets: each creates its own, and the totals count all of them', async () => {
    const own = await openShop(service);
    const responses = await times(100, (nth) => own.requestAsStaff<Pet>('POST', '/v1/pets', { body: { ...PLAIN_PET, ageMonths: nth } }));
    expect(new Set(responses.map(({ json }) => json.id)).size).toBe(100);
    const { pagination, data } = (await own.request<Page<Pet>>('GET', '/v1/pets?limit=100')).json;
    expect([pagination.totalItems, data.length]).toEqual([100, 100]);
  });

  it('to create pets and orders through both interfaces and two processes: each has its own integer id', async () => {
    const racing = await openRacingShop();
    const own = racing.shop;
    type Numbered = { readonly id: number };
    const listPet = (by: Shop, nth: number): Promise<HttpResponse> =>
      nth % 4 < 2
        ? by.requestAsStaff<Pet>('POST', '/v1/pets', { body: PLAIN_PET })
        : by.requestAsStaff<Numbered>('POST', '/api/v3/pet', { body: { name: 'Biscuit' } });
    const listed = (count: number) =>
      eventually(`${count} pets`, async () => {
        const { json } = await own.request<readonly Numbered[]>('GET', '/api/v3/pet/findByStatus?status=available,pending');
        return json.length === count ? json.map(({ id }) => id) : null;
      });
    try {
      await racing.race(10, listPet);
      const free = await listed(10);
      const orders: number[] = [];
      const responses = await racing.race(50, async (by, nth) => {
        if (nth % 5 > 0) return listPet(by, nth);
        const placed = await by.request<Numbered>('POST', '/api/v3/store/order', { body: { petId: free[nth / 5] } });
        orders.push(placed.json.id);
        return placed;
      });
      expect(tally(responses)).toEqual({ 200: 30, 201: 20 });
      expect(new Set([...orders, ...(await listed(50))]).size).toBe(60);
    } finally {
      await racing.close();
    }
  });

  itOnOwnPetstore('to pay one order with different keys: one is 201, 49 are 409, and the gateway charges once', async () => {
    const own = await startOwnPetstore({ DATA_DIR: newFolder() });
    try {
      const ownShop = await openShop(own);
      const { id } = await ownShop.placeOrder((await ownShop.listPet()).id);
      const body = { amount: '250.00', currency: 'USD', source: card() };
      const responses = await times(50, (nth) =>
        ownShop.request<Payment>('POST', `/v1/orders/${id}/payment`, { idempotencyKey: `key-${nth}`, body }),
      );
      expect(tally(responses)).toEqual({ 201: 1, 409: 49 });
      await ownShop.orderBecomes(id, 'approved');
      const paid = responses.find(({ status }) => status === 201)?.json.id;
      expect(own.charges()).toMatchObject([{ idempotencyKey: paid, amount: '250.00', outcome: 'succeeded' }]);
    } finally {
      await own.stop();
    }
  });

  it('to pay and delete one order: one deletion gets 204, and no request gets a server error', async () => {
    const pet = await shop.listPet();
    const { id } = await shop.placeOrder(pet.id);
    const path = `/v1/orders/${id}`;
    const responses = await times(40, (nth) => (nth % 2 === 0 ? shop.request('DELETE', path) : shop.pay(id)));
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    expect((await shop.request('GET', path)).status).toBe(404);
    await shop.petBecomes(pet.id, 'AVAILABLE');
  });
});
