import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../servers/client.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { itOnOwnStore, startOwnStore, startStore, type TestStore } from '../servers/store.js';
import { card, openShop, PLAIN_PET, type Order, type Page, type Payment, type Pet, type Shop } from './shop.js';

let store: TestStore;
let shop: Shop;
beforeAll(async () => {
  store = await startStore();
  shop = await openShop(store);
});
afterAll(() => store.stop().then(removeFolders));

const times = <T>(count: number, send: (nth: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, nth) => send(nth)));

/** Counts the responses by status. */
const tally = (answers: readonly Answer[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]));

/** Proves contract 9.5, contract 13.3, contract 15.4, contract 24.2 and contract 24.4. */
describe('concurrent requests', () => {
  it('to order one pet: one gets 201, 49 get 409', async () => {
    const pet = await shop.listPet();
    const answers = await times(50, (nth) =>
      shop.request<Order>('POST', '/v1/orders', { body: { petId: pet.id, userId: `buyer-${nth}` } }),
    );
    expect(tally(answers)).toEqual({ 201: 1, 409: 49 });
    const { data } = (await shop.requestAsStaff<Page<Order>>('GET', `/v1/orders?petId=${pet.id}`)).json;
    expect(data).toEqual([answers.find(({ status }) => status === 201)?.json]);
  });

  it.each([
    ['without a token', undefined],
    ['with a token', 'read:pets'],
  ])('with one Idempotency-Key %s: one order is placed, and a hundred responses are equal', async (_, scope) => {
    const pet = await shop.listPet();
    const options = { idempotencyKey: randomUUID(), body: { petId: pet.id }, token: scope && (await store.token(scope)) };
    const answers = await times(100, () => shop.request<Order>('POST', '/v1/orders', options));
    expect(tally(answers)).toEqual({ 201: 100 });
    expect(new Set(answers.map(({ text, headers }) => `${text} ${headers.location} ${headers.etag}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(99);
    expect((await shop.requestAsStaff<Page<Order>>('GET', `/v1/orders?petId=${pet.id}`)).json.pagination.totalItems).toBe(1);
  });

  it('to create a pet with one Idempotency-Key: one pet is created', async () => {
    const own = await openShop(store);
    const options = { idempotencyKey: randomUUID(), body: PLAIN_PET };
    const answers = await times(100, () => own.requestAsStaff<Pet>('POST', '/v1/pets', options));
    expect(tally(answers)).toEqual({ 201: 100 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(99);
    expect((await own.request<Page<Pet>>('GET', '/v1/pets')).json.pagination.totalItems).toBe(1);
  });

  it('to replace a pet with one If-Match: one gets 200, 99 get 412', async () => {
    const pet = await shop.listPet();
    const path = `/v1/pets/${pet.id}`;
    const ifMatch = (await shop.request('GET', path)).headers.etag ?? '';
    const answers = await times(100, (nth) => shop.requestAsStaff<Pet>('PUT', path, { ifMatch, body: { ...pet, name: `Name ${nth}` } }));
    expect(tally(answers)).toEqual({ 200: 1, 412: 99 });
    expect((await shop.request('GET', path)).json).toEqual(answers.find(({ status }) => status === 200)?.json);
  });

  it('to create pets: each creates its own, and the totals count all of them', async () => {
    const own = await openShop(store);
    const answers = await times(100, (nth) => own.requestAsStaff<Pet>('POST', '/v1/pets', { body: { ...PLAIN_PET, ageMonths: nth } }));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(100);
    const { pagination, data } = (await own.request<Page<Pet>>('GET', '/v1/pets?limit=100')).json;
    expect([pagination.totalItems, data.length]).toEqual([100, 100]);
  });

  itOnOwnStore('to pay one order with different keys: one is 201, 49 are 409, and the gateway charges once', async () => {
    const own = await startOwnStore({ DATA_DIR: newFolder() });
    try {
      const quiet = await openShop(own);
      const { id } = await quiet.placeOrder((await quiet.listPet()).id);
      const body = { amount: '250.00', currency: 'USD', source: card() };
      const answers = await times(50, (nth) =>
        quiet.request<Payment>('POST', `/v1/orders/${id}/payment`, { idempotencyKey: `key-${nth}`, body }),
      );
      expect(tally(answers)).toEqual({ 201: 1, 409: 49 });
      await quiet.becomes(id, 'approved');
      const paid = answers.find(({ status }) => status === 201)?.json.id;
      expect(own.charges()).toMatchObject([{ idempotencyKey: paid, amount: '250.00', outcome: 'succeeded' }]);
    } finally {
      await own.stop();
    }
  });

  it('to pay and delete one order: one deletion gets 204, and no request gets a server error', async () => {
    const pet = await shop.listPet();
    const { id } = await shop.placeOrder(pet.id);
    const path = `/v1/orders/${id}`;
    const answers = await times(40, (nth) => (nth % 2 === 0 ? shop.request('DELETE', path) : shop.pay(id)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect((await shop.request('GET', path)).status).toBe(404);
    await shop.petBecomes(pet.id, 'AVAILABLE');
  });
});
