import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { openShop, PRICED_PET, type Order, type Shop } from './shop.js';

type ClassicOrder = {
  readonly id: number;
  readonly petId?: number;
  readonly quantity: number;
  readonly shipDate?: string;
  readonly status: string;
  readonly complete: boolean;
};

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service, randomUUID());
});
afterAll(() => service.stop());

/** Adds a pet, and returns its id in /v1 (`id`) and in the classic interface (`petId`). */
const listPet = async (): Promise<{ readonly id: string; readonly petId: number }> => {
  const { id } = await shop.listPet();
  const { json } = await shop.request<readonly { readonly id: number }[]>('GET', '/api/v3/pet/findByStatus');
  return { id, petId: json[0]?.id ?? 0 };
};
const placeOrder = (body: object) => shop.request<ClassicOrder>('POST', '/api/v3/store/order', { body });
const getOrder = (id: number) => shop.requestAsStaff<ClassicOrder>('GET', `/api/v3/store/order/${id}`);
/** Returns the newest order, as /v1 shows it. */
const newestOrder = async (): Promise<Order> =>
  (await shop.requestAsStaff<{ data: readonly [Order] }>('GET', '/v1/orders?limit=1')).json.data[0];

/** Proves contract 39.2 and contract 39.6. */
describe('POST /api/v3/store/order', () => {
  it('places an order that /v1 lists, with an id that the service assigns', async () => {
    const { id, petId } = await listPet();
    const ignored = { id: 4_711, status: 'delivered', complete: true };
    const { status, json } = await placeOrder({ ...ignored, petId, quantity: 2, shipDate: '2026-12-24T23:30:00.000-02:00' });
    const placed = { petId, quantity: 2, shipDate: '2026-12-25T00:00:00.000Z', status: 'placed', complete: false };
    expect([status, json]).toEqual([200, { id: expect.any(Number), ...placed }]);
    expect([json.id === 4_711, json.id === petId]).toEqual([false, false]);
    expect((await getOrder(json.id)).json).toEqual(json);
    expect(await newestOrder()).toMatchObject({ petId: id, quantity: 2, shipDate: '2026-12-25', status: 'placed' });
    expect((await shop.request('GET', `/api/v3/pet/${petId}`)).json).toMatchObject({ status: 'pending' });
  });

  it('is 404 for an unknown pet, 409 for a reserved one and 422 for a wrong quantity', async () => {
    const { petId } = await listPet();
    await placeOrder({ petId });
    expect((await placeOrder({ petId: 999_999 })).json).toEqual({ code: 404, type: 'not-found', message: 'There is no pet with this id.' });
    expect(await placeOrder({ petId })).toMatchObject({ status: 409, json: { code: 409, type: 'conflict' } });
    expect((await placeOrder({ petId, quantity: 0 })).json).toEqual({
      code: 422,
      type: 'validation-failed',
      message: 'quantity: must be at least 1.',
    });
    expect((await placeOrder({ petId: 'x' })).status).toBe(422);
  });

  it('places the order for the user of the token', async () => {
    const { petId } = await listPet();
    const token = await service.token('read:pets', { subject: 'anna' });
    await shop.request('POST', '/api/v3/store/order', { body: { petId }, token });
    expect((await newestOrder()).userId).toBe('anna');
  });
});

/** Proves contract 39.3 and contract 39.6. */
describe('an order', () => {
  it('has the classic status approved until it is delivered, even after /v1 shows shipped', async () => {
    const { petId } = await listPet();
    const { json } = await placeOrder({ petId });
    const { id } = await newestOrder();
    await shop.pay(id, undefined, PRICED_PET.price);
    await shop.orderBecomes(id, 'approved');
    expect((await getOrder(json.id)).json.status).toBe('approved');
    await shop.requestAsStaff('POST', `/v1/orders/${id}/shipment`);
    expect((await getOrder(json.id)).json.status).toBe('approved');
    await shop.requestAsStaff('POST', `/v1/orders/${id}/delivery`);
    expect((await getOrder(json.id)).json).toMatchObject({ status: 'delivered', complete: true });
  });

  it('that is deleted releases its pet and is 404', async () => {
    const { id: pet, petId } = await listPet();
    const { id } = (await placeOrder({ petId })).json;
    const { status, text } = await shop.requestAsStaff('DELETE', `/api/v3/store/order/${id}`);
    expect([status, text]).toEqual([200, '']);
    expect((await getOrder(id)).json).toEqual({ code: 404, type: 'not-found', message: 'There is no order with this id.' });
    expect((await shop.requestAsStaff('DELETE', `/api/v3/store/order/${id}`)).status).toBe(404);
    await shop.petBecomes(pet, 'AVAILABLE');
  });

  it('has no petId after its pet was deleted', async () => {
    const { id: pet, petId } = await listPet();
    const { json } = await placeOrder({ petId });
    const { id } = await newestOrder();
    await shop.pay(id, undefined, PRICED_PET.price);
    await shop.orderBecomes(id, 'approved');
    await shop.petBecomes(pet, 'ADOPTED');
    await shop.requestAsStaff('POST', `/v1/orders/${id}/shipment`);
    await shop.requestAsStaff('POST', `/v1/orders/${id}/delivery`);
    await shop.orderBecomes(id, 'delivered');
    await eventually('the deletion', async () => (await shop.requestAsStaff('DELETE', `/api/v3/pet/${petId}`)).status === 200);
    expect(Object.keys((await getOrder(json.id)).json)).toEqual(['id', 'quantity', 'shipDate', 'status', 'complete']);
  });

  it('is 400 for an id that is not an integer', async () =>
    expect((await shop.requestAsStaff('GET', '/api/v3/store/order/x')).json).toMatchObject({ code: 400, type: 'invalid-request' }));
});

/** Proves contract 39.6. */
describe('GET /api/v3/store/inventory', () => {
  it('counts pets by status, without those that are NOT_AVAILABLE', async () => {
    const other = await openShop(service, randomUUID());
    for (const status of ['AVAILABLE', 'AVAILABLE', 'PENDING', 'ADOPTED', 'NOT_AVAILABLE']) await other.listPet({ status });
    const { status, json } = await other.requestAsStaff('GET', '/api/v3/store/inventory');
    expect([status, json]).toEqual([200, { available: 2, pending: 1, sold: 1 }]);
    expect((await other.request('GET', '/api/v3/store/inventory')).status).toBe(401);
  });
});
