import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { openShop, type Shop } from './shop.js';

const EMPTY = { AVAILABLE: 0, PENDING: 0, ADOPTED: 0, NOT_AVAILABLE: 0, placed: 0, approved: 0, shipped: 0, delivered: 0 };

let service: TestPetstore;
beforeAll(async () => void (service = await startTestPetstore()));
afterAll(() => service.stop());

const inventoryOf = async (shop: Shop, query = '') => (await shop.requestAsStaff('GET', `/v1/inventories${query}`)).json;

/** Proves contract 10.1, contract 14.1 and contract 14.2. Proves rows of contract 42.2, 42.7, 42.10, 42.13 and 42.21. */
describe('the inventory', () => {
  it('has every key, also in an empty store', async () => {
    expect(await inventoryOf(await openShop(service))).toEqual(EMPTY);
  });

  it('counts pets and ordered quantities by status, after every change', async () => {
    const shop = await openShop(service);
    await shop.listPet({ status: 'NOT_AVAILABLE' });
    await shop.listPet({ status: 'ADOPTED' });
    const pet = await shop.listPet();
    expect(await inventoryOf(shop)).toEqual({ ...EMPTY, AVAILABLE: 1, NOT_AVAILABLE: 1, ADOPTED: 1 });
    const { id } = await shop.placeOrder(pet.id, { quantity: 7 });
    expect(await inventoryOf(shop)).toEqual({ ...EMPTY, PENDING: 1, NOT_AVAILABLE: 1, ADOPTED: 1, placed: 7 });
    await shop.pay(id, undefined, '1750.00');
    await shop.petBecomes(pet.id, 'ADOPTED');
    expect(await inventoryOf(shop)).toEqual({ ...EMPTY, NOT_AVAILABLE: 1, ADOPTED: 2, approved: 7 });
    await shop.requestAsStaff('POST', `/v1/orders/${id}/shipment`);
    expect(await inventoryOf(shop)).toEqual({ ...EMPTY, NOT_AVAILABLE: 1, ADOPTED: 2, shipped: 7 });
    await shop.requestAsStaff('POST', `/v1/orders/${id}/delivery`);
    expect(await inventoryOf(shop)).toEqual({ ...EMPTY, NOT_AVAILABLE: 1, ADOPTED: 2, delivered: 7 });
    await shop.request('DELETE', `/v1/orders/${id}`);
    expect(await inventoryOf(shop)).toEqual({ ...EMPTY, NOT_AVAILABLE: 1, ADOPTED: 2 });
  });

  it.each([
    ['AVAILABLE', { AVAILABLE: 1 }],
    ['available,Placed', { AVAILABLE: 1, placed: 2 }],
    ['not-available,DELIVERED,SHIPPED', { NOT_AVAILABLE: 0, delivered: 0, shipped: 0 }],
    ['available&status=pending', { AVAILABLE: 1, PENDING: 1 }],
  ])('contains only the keys of ?status=%s', async (status, expected) => {
    const shop = await openShop(service);
    await shop.listPet();
    await shop.placeOrder((await shop.listPet()).id, { quantity: 2 });
    expect(await inventoryOf(shop, `?status=${status}`)).toEqual(expected);
  });

  it.each([
    ['gone', { 'status[0]': 'invalid_enum' }],
    ['AVAILABLE,sold,lost', { 'status[1]': 'invalid_enum', 'status[2]': 'invalid_enum' }],
    ['cancelled', { 'status[0]': 'invalid_enum' }],
    ['', { 'status[0]': 'invalid_enum' }],
  ])('returns 400 for ?status=%s', async (status, faults) => {
    const shop = await openShop(service);
    expectProblem(await shop.requestAsStaff('GET', `/v1/inventories?status=${status}`), 400, 'invalid-request', faults);
  });

  it('requires a token of any scope', async () => {
    const shop = await openShop(service);
    expectProblem(await shop.request('GET', '/v1/inventories'), 401, 'unauthorized');
    expect((await shop.request('GET', '/v1/inventories', { token: await service.token('read:pets') })).status).toBe(200);
  });
});
