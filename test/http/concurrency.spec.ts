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

const times = <T>(count: number, ask: (nth: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, nth) => ask(nth)));

/** How many answers have each status. */
const tally = (answers: readonly Answer[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]));

describe('many at once', () => {
  it('who order one pet: one gets it, 49 get a conflict', async () => {
    const pet = await shop.listPet();
    const answers = await times(50, (nth) => shop.ask<Order>('POST', '/v1/orders', { body: { petId: pet.id, userId: `buyer-${nth}` } }));
    expect(tally(answers)).toEqual({ 201: 1, 409: 49 });
    const { data } = (await shop.askAsStaff<Page<Order>>('GET', `/v1/orders?petId=${pet.id}`)).json;
    expect(data).toEqual([answers.find(({ status }) => status === 201)?.json]);
  });

  it.each([
    ['without a token', undefined],
    ['with one', 'read:pets'],
  ])('who send one Idempotency-Key %s: one order, and a hundred equal answers', async (_, scope) => {
    const pet = await shop.listPet();
    const asked = { idempotencyKey: randomUUID(), body: { petId: pet.id }, token: scope && (await store.token(scope)) };
    const answers = await times(100, () => shop.ask<Order>('POST', '/v1/orders', asked));
    expect(tally(answers)).toEqual({ 201: 100 });
    expect(new Set(answers.map(({ text, headers }) => `${text} ${headers.location} ${headers.etag}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(99);
    expect((await shop.askAsStaff<Page<Order>>('GET', `/v1/orders?petId=${pet.id}`)).json.pagination.totalItems).toBe(1);
  });

  it('who list one pet with one Idempotency-Key: one pet', async () => {
    const own = await openShop(store);
    const asked = { idempotencyKey: randomUUID(), body: PLAIN_PET };
    const answers = await times(100, () => own.askAsStaff<Pet>('POST', '/v1/pets', asked));
    expect(tally(answers)).toEqual({ 201: 100 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(99);
    expect((await own.ask<Page<Pet>>('GET', '/v1/pets')).json.pagination.totalItems).toBe(1);
  });

  it('who replace a pet on the same If-Match: one does, 99 are too late', async () => {
    const pet = await shop.listPet();
    const path = `/v1/pets/${pet.id}`;
    const ifMatch = (await shop.ask('GET', path)).headers.etag ?? '';
    const answers = await times(100, (nth) => shop.askAsStaff<Pet>('PUT', path, { ifMatch, body: { ...pet, name: `Name ${nth}` } }));
    expect(tally(answers)).toEqual({ 200: 1, 412: 99 });
    expect((await shop.ask('GET', path)).json).toEqual(answers.find(({ status }) => status === 200)?.json);
  });

  it('who list pets: each gets its own, and the totals count them all', async () => {
    const own = await openShop(store);
    const answers = await times(100, (nth) => own.askAsStaff<Pet>('POST', '/v1/pets', { body: { ...PLAIN_PET, ageMonths: nth } }));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(100);
    const { pagination, data } = (await own.ask<Page<Pet>>('GET', '/v1/pets?limit=100')).json;
    expect([pagination.totalItems, data.length]).toEqual([100, 100]);
  });

  itOnOwnStore('who pay one order with different keys: one may, 49 get a conflict, and the gateway charges once', async () => {
    const own = await startOwnStore({ DATA_DIR: newFolder() });
    try {
      const quiet = await openShop(own);
      const { id } = await quiet.placeOrder((await quiet.listPet()).id);
      const body = { amount: '250.00', currency: 'USD', source: card() };
      const answers = await times(50, (nth) =>
        quiet.ask<Payment>('POST', `/v1/orders/${id}/payment`, { idempotencyKey: `key-${nth}`, body }),
      );
      expect(tally(answers)).toEqual({ 201: 1, 409: 49 });
      await quiet.becomes(id, 'approved');
      const paid = answers.find(({ status }) => status === 201)?.json.id;
      expect(own.charges()).toMatchObject([{ idempotencyKey: paid, amount: '250.00', outcome: 'succeeded' }]);
    } finally {
      await own.stop();
    }
  });

  it('who ship, pay and delete one order: it ends in one state, and nobody gets a server error', async () => {
    const pet = await shop.listPet();
    const { id } = await shop.placeOrder(pet.id);
    const path = `/v1/orders/${id}`;
    const answers = await times(40, (nth) => (nth % 2 === 0 ? shop.ask('DELETE', path) : shop.pay(id)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect((await shop.ask('GET', path)).status).toBe(404);
    await shop.petBecomes(pet.id, 'AVAILABLE');
  });
});
