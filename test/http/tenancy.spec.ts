import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStore, type TestStore } from '../servers/store.js';
import { expectProblem } from './problems.js';
import { card, openSharedPool, openShop, PLAIN_PET, STAFF, type Order, type Page, type Pet, type Shop } from './shop.js';

let store: TestStore;
let shops: readonly (readonly [name: string, shop: Shop])[];
beforeAll(async () => {
  store = await startStore();
  shops = [
    ['one tenant', await openShop(store)],
    ['another tenant', await openShop(store)],
    ['the shared pool', await openSharedPool(store)],
  ];
});
afterAll(() => store.stop());

/** All pairs of different shops. */
const pairs = () => shops.flatMap(([, own]) => shops.filter(([, other]) => other !== own).map(([, other]) => [own, other] as const));

/** Everything that can be read of a shop without an id. */
const viewOf = async (shop: Shop) => ({
  pets: (await shop.requestAsStaff<Page<Pet>>('GET', '/v1/pets?status=ALL&limit=100')).json,
  found: (
    await shop.request<Page<Pet>>('QUERY', '/v1/pets', {
      body: { criteria: { medical: { vaccinated: true } }, pagination: { limit: 100 } },
    })
  ).json,
  orders: (await shop.requestAsStaff<Page<Order>>('GET', '/v1/orders?limit=100')).json,
  inventory: (await shop.requestAsStaff('GET', '/v1/inventories')).json,
});

/** Proves contract 6.1, contract 6.2 and contract 9.4. */
describe('a tenant and the shared pool', () => {
  it('do not see each other in lists, searches, counts and inventories', async () => {
    for (const [own, other] of pairs()) {
      const before = await viewOf(other);
      const pet = await own.listPet({ medicalInfo: { vaccinated: true } });
      await own.listPet({ medicalInfo: { vaccinated: true } });
      await own.placeOrder(pet.id);
      expect(await viewOf(other)).toEqual(before);
      expect(JSON.stringify(await viewOf(own))).toContain(pet.id);
    }
  });

  it('get 404 for reading, changing, deleting or ordering each other’s pets', async () => {
    for (const [own, other] of pairs()) {
      const pet = await own.listPet();
      const path = `/v1/pets/${pet.id}`;
      expectProblem(await other.request('GET', path), 404, 'not-found');
      expectProblem(await other.requestAsStaff('PUT', path, { body: { ...PLAIN_PET, status: 'ADOPTED' } }), 404, 'not-found');
      expectProblem(await other.requestAsStaff('DELETE', path), 404, 'not-found');
      expectProblem(await other.request('POST', '/v1/orders', { body: { petId: pet.id } }), 404, 'not-found');
      expect((await own.request('GET', path)).json).toEqual(pet);
    }
  });

  it('get 404 for reading, paying, shipping, delivering or deleting each other’s orders', async () => {
    for (const [own, other] of pairs()) {
      const { order } = await own.sell();
      const path = `/v1/orders/${order.id}`;
      const body = { amount: '250.00', currency: 'USD', source: card() };
      for (const part of ['', '/payment', '/receipt']) expectProblem(await other.request('GET', path + part), 404, 'not-found');
      expectProblem(await other.request('POST', `${path}/payment`, { body }), 404, 'not-found');
      expectProblem(await other.requestAsStaff('POST', `${path}/shipment`), 404, 'not-found');
      expectProblem(await other.requestAsStaff('POST', `${path}/delivery`), 404, 'not-found');
      expectProblem(await other.request('DELETE', path), 404, 'not-found');
      expect((await own.request('GET', path)).json).toEqual(order);
    }
  });

  it('get the same response for an id of the other and for an unknown id', async () => {
    const [[, own], [, other]] = shops as readonly [readonly [string, Shop], readonly [string, Shop]];
    const strip = (answer: { readonly json: unknown }, id: string) => JSON.stringify(answer.json).replaceAll(id, '{id}');
    const [theirs, unknown] = [(await own.listPet()).id, randomUUID()];
    for (const method of ['GET', 'DELETE'])
      expect(strip(await other.requestAsStaff(method, `/v1/pets/${theirs}`), theirs)).toBe(
        strip(await other.requestAsStaff(method, `/v1/pets/${unknown}`), unknown),
      );
  });

  it('have separate Idempotency-Keys', async () => {
    const key = randomUUID();
    const made = await Promise.all(
      shops.map(([name, shop]) => shop.requestAsStaff<Pet>('POST', '/v1/pets', { idempotencyKey: key, body: { ...PLAIN_PET, name } })),
    );
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(made.map(({ json }) => json.name)).toEqual(shops.map(([name]) => name));
    expect(new Set(made.map(({ json }) => json.id)).size).toBe(3);
  });

  it('are distinguished by tenantId of a pet, which is absent in the shared pool', async () => {
    for (const [, shop] of shops) {
      const pet = await shop.listPet();
      expect([pet.tenantId, 'tenantId' in pet]).toEqual([shop.tenant, shop.tenant !== undefined]);
    }
  });
});

/** Proves contract 6.1. */
describe('X-Tenant-ID', () => {
  it('is read in any case', async () => {
    const tenant = randomUUID();
    const pet = await (await openShop(store, tenant)).listPet();
    const upper = await openShop(store, tenant.toUpperCase());
    expect((await upper.request<Pet>('GET', `/v1/pets/${pet.id}`)).json).toEqual(pet);
  });

  it.each(['', 'shared', 'acme', '0', `${randomUUID()}x`, 'null', "' OR 1=1 --"])('of "%s" gets 400', async (tenant) => {
    const answers = [
      await store.request('GET', '/v1/pets', { tenant }),
      await store.request('GET', `/v1/orders/${randomUUID()}`, { tenant }),
      await store.request('POST', '/v1/pets', { tenant, token: await store.token(STAFF), body: PLAIN_PET }),
    ];
    for (const answer of answers) expectProblem(answer, 400, 'invalid-request', { 'X-Tenant-ID': 'INVALID_FORMAT' });
  });

  it('sent twice gets 400', async () => {
    const twice = { 'x-tenant-id': [randomUUID(), randomUUID()] };
    expectProblem(await store.request('GET', '/v1/pets', { headers: twice }), 400, 'invalid-request', { 'X-Tenant-ID': 'INVALID_FORMAT' });
  });
});

/** Proves contract 6.3. */
describe('a token bound to a tenant', () => {
  it('acts there without the header, and with the same header', async () => {
    const tenant = randomUUID();
    const token = await store.token(STAFF, { tenant });
    const { status, json } = await store.request<Pet>('POST', '/v1/pets', { token, body: PLAIN_PET });
    expect([status, json.tenantId]).toEqual([201, tenant]);
    const read = (options: object) => store.request<Pet>('GET', `/v1/pets/${json.id}`, options);
    expect((await read({ token })).status).toBe(200);
    expect((await read({ token, tenant: tenant.toUpperCase() })).status).toBe(200);
    expect((await read({ tenant })).status).toBe(200);
    expectProblem(await read({}), 404, 'not-found');
  });

  it('gets 403 with the header of another tenant', async () => {
    const token = await store.token(STAFF, { tenant: randomUUID() });
    const tenant = randomUUID();
    for (const [method, path, body] of [
      ['GET', '/v1/pets', undefined],
      ['POST', '/v1/pets', PLAIN_PET],
      ['GET', '/v1/inventories', undefined],
      ['QUERY', '/v1/pets', {}],
    ] as const)
      expectProblem(await store.request(method, path, { token, tenant, ...(body && { body }) }), 403, 'forbidden');
  });
});
