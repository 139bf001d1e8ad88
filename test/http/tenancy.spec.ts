import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { openSharedPool, openShop, PLAIN_PET, STAFF, type Order, type Page, type Pet, type Shop } from './shop.js';

let service: TestPetstore;
let shops: readonly (readonly [name: string, shop: Shop])[];
beforeAll(async () => {
  service = await startTestPetstore();
  shops = [
    ['one tenant', await openShop(service)],
    ['another tenant', await openShop(service)],
    ['the shared pool', await openSharedPool(service)],
  ];
});
afterAll(() => service.stop());

/** All pairs of different shops. */
const pairs = () => shops.flatMap(([, own]) => shops.filter(([, other]) => other !== own).map(([, other]) => [own, other] as const));

/** Returns the lists, search results and counts of a shop. Reading them needs no id. */
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

/** Proves contract 6.1, contract 6.2 and contract 9.4. Proves rows of contract 42.3 and 42.21. */
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
  it('may be in upper or lower case', async () => {
    const tenant = randomUUID();
    const pet = await (await openShop(service, tenant)).listPet();
    const upper = await openShop(service, tenant.toUpperCase());
    expect((await upper.request<Pet>('GET', `/v1/pets/${pet.id}`)).json).toEqual(pet);
  });

  it.each(['', 'shared', 'acme', '0', `${randomUUID()}x`, 'null', "' OR 1=1 --"])('of "%s" gets 400', async (tenant) => {
    const responses = [
      await service.request('GET', '/v1/pets', { tenant }),
      await service.request('GET', `/v1/orders/${randomUUID()}`, { tenant }),
      await service.request('POST', '/v1/pets', { tenant, token: await service.token(STAFF), body: PLAIN_PET }),
    ];
    for (const response of responses) expectProblem(response, 400, 'invalid-request', { 'X-Tenant-ID': 'INVALID_FORMAT' });
  });

  it('sent twice gets 400', async () => {
    const twice = { 'x-tenant-id': [randomUUID(), randomUUID()] };
    expectProblem(await service.request('GET', '/v1/pets', { headers: twice }), 400, 'invalid-request', {
      'X-Tenant-ID': 'INVALID_FORMAT',
    });
  });
});

/** Proves contract 6.3. */
describe('a token bound to a tenant', () => {
  it('acts in that tenant without X-Tenant-ID, and with the same tenant in X-Tenant-ID', async () => {
    const tenant = randomUUID();
    const token = await service.token(STAFF, { tenant });
    const { status, json } = await service.request<Pet>('POST', '/v1/pets', { token, body: PLAIN_PET });
    expect([status, json.tenantId]).toEqual([201, tenant]);
    const read = (options: object) => service.request<Pet>('GET', `/v1/pets/${json.id}`, options);
    expect((await read({ token })).status).toBe(200);
    expect((await read({ token, tenant: tenant.toUpperCase() })).status).toBe(200);
    expect((await read({ tenant })).status).toBe(200);
    expectProblem(await read({}), 404, 'not-found');
  });
});
