import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { openShop, type Order, type Page, type Pet, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop());

const place = (body: unknown, token?: string) => shop.request<Order>('POST', '/v1/orders', { body, token });
const read = (id: string) => shop.request<Order>('GET', `/v1/orders/${id}`);
const move = (id: string, step: 'shipment' | 'delivery') => shop.requestAsStaff<Order>('POST', `/v1/orders/${id}/${step}`);
const DAY = 86_400_000;
const petStatus = async ({ id }: Pet) => (await shop.request<Pet>('GET', `/v1/pets/${id}`)).json.status;

/**
 * Proves contract 2.7, contract 3.4, contract 3.9, contract 13.1, contract 13.3 and contract 13.4.
 * Proves rows of contract 42.2, 42.5, 42.9, 42.13, 42.18 and 42.21.
 */
describe('placing an order', () => {
  it('returns the order with its Location, and reserves the pet', async () => {
    const pet = await shop.listPet();
    const { status, headers, json, text } = await place({ petId: pet.id, userId: 'ada', quantity: 2, shipDate: '2028-02-29' });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: json.id,
      petId: pet.id,
      userId: 'ada',
      quantity: 2,
      shipDate: '2028-02-29',
      status: 'placed',
      complete: false,
      amountDue: '500.00',
      currency: 'USD',
      createdAt: json.createdAt,
      updatedAt: json.createdAt,
      expiresAt: new Date(Date.parse(json.createdAt) + DAY).toISOString(),
    });
    expect(new URL(headers.location ?? '', service.url).pathname).toBe(`/v1/orders/${json.id}`);
    expect(await petStatus(pet)).toBe('PENDING');
    const found = await read(json.id);
    expect({ text: found.text, etag: found.headers.etag }).toEqual({ text, etag: headers.etag });
  });

  it('requires a pet; the quantity defaults to one, and userId is absent', async () => {
    const pet = await shop.listPet();
    const { json } = await place({ petId: pet.id.toUpperCase() });
    expect(json).toMatchObject({ id: json.id, petId: pet.id, quantity: 1, status: 'placed', complete: false });
    expect(json).not.toHaveProperty('userId');
    expectProblem(await place({}), 422, 'validation-failed', { petId: 'required' });
  });

  it('uses the token’s subject as the default of userId', async () => {
    const ann = await service.token('read:pets', { subject: 'ann' });
    const [one, other] = [await shop.listPet(), await shop.listPet()];
    expect((await place({ petId: one.id }, ann)).json.userId).toBe('ann');
    expect((await place({ petId: other.id, userId: 'bob' }, ann)).json.userId).toBe('bob');
  });

  it('ignores read-only fields', async () => {
    const pet = await shop.listPet();
    const sent = { id: randomUUID(), status: 'approved', complete: true, amountDue: '1.00', currency: 'EUR', paymentStatus: 'succeeded' };
    const { json } = await place({ petId: pet.id, ...sent, expiresAt: 'never' });
    expect(json).toMatchObject({ status: 'placed', complete: false, amountDue: '250.00', currency: 'USD' });
    expect(json).not.toHaveProperty('paymentStatus');
  });

  it('of a pet that does not exist returns 404', async () => {
    expectProblem(await place({ petId: randomUUID() }), 404, 'not-found');
  });

  it.each(['PENDING', 'ADOPTED', 'NOT_AVAILABLE'])('of a pet that is %s returns 409', async (status) => {
    const pet = await shop.listPet({ status });
    expectProblem(await place({ petId: pet.id }), 409, 'conflict');
    expect(await petStatus(pet)).toBe(status);
  });

  it('of a reserved pet returns 409', async () => {
    const pet = await shop.listPet();
    await shop.placeOrder(pet.id);
    expectProblem(await place({ petId: pet.id }), 409, 'conflict');
  });

  it.each([
    ['a quantity of 0', { quantity: 0 }, { quantity: 'too_small' }],
    ['a quantity of 101', { quantity: 101 }, { quantity: 'too_big' }],
    ['a fractional quantity', { quantity: 1.5 }, { quantity: 'invalid_type' }],
    ['a quantity that is a text', { quantity: '1' }, { quantity: 'invalid_type' }],
    ['a date that does not exist', { shipDate: '2027-02-29' }, { shipDate: 'INVALID_FORMAT' }],
    ['a date with a time', { shipDate: '2027-02-28T00:00:00Z' }, { shipDate: 'INVALID_FORMAT' }],
    ['a date that is a number', { shipDate: 20270228 }, { shipDate: 'invalid_type' }],
    ['a malformed pet id', { petId: 'rex' }, { petId: 'INVALID_FORMAT' }],
    ['a userId of 65 characters', { userId: 'u'.repeat(65) }, { userId: 'too_long' }],
    ['nulls', { petId: null, userId: null, shipDate: null }, { petId: 'required' }],
    ['unknown properties', { price: '1.00', coupon: 5 }, { price: 'unknown_property', coupon: 'unknown_property' }],
  ])('with %s returns 422 and does not change the pet', async (_, fields, faults) => {
    const pet = await shop.listPet();
    expectProblem(await place({ petId: pet.id, ...fields }), 422, 'validation-failed', faults);
    expect(await petStatus(pet)).toBe('AVAILABLE');
  });
});

/** Proves contract 13.2, contract 13.6 and contract 13.9. */
describe('shipping and delivering an order', () => {
  it('moves it to shipped, then to delivered and complete; the pet stays ADOPTED', async () => {
    const { pet, order } = await shop.sell();
    expect(order).toMatchObject({ status: 'approved', complete: false });
    const shipped = await move(order.id, 'shipment');
    expect(shipped).toMatchObject({ status: 200, json: { status: 'shipped', complete: false } });
    expect(shipped.json.shipDate).toMatch(/^\d{4}-\d\d-\d\d$/);
    const delivered = await move(order.id, 'delivery');
    expect(delivered).toMatchObject({ status: 200, json: { status: 'delivered', complete: true, shipDate: shipped.json.shipDate } });
    expect((await read(order.id)).text).toBe(delivered.text);
    expect(await petStatus(pet)).toBe('ADOPTED');
  });

  it.each(['shipment', 'delivery'] as const)('returns 200 for a repeated %s and changes nothing (contract 9.6)', async (step) => {
    const { order } = await shop.sell();
    await move(order.id, 'shipment');
    const first = step === 'shipment' ? await read(order.id) : await move(order.id, step);
    const repeated = await move(order.id, step);
    expect({ status: repeated.status, text: repeated.text }).toEqual({ status: 200, text: first.text });
    expect((await read(order.id)).headers.etag).toBe(repeated.headers.etag);
  });

  it('keeps the ship date of the placed order', async () => {
    const pet = await shop.listPet();
    const { id } = await shop.placeOrder(pet.id, { shipDate: '2031-05-06' });
    await shop.pay(id);
    await shop.orderBecomes(id, 'approved');
    expect((await move(id, 'shipment')).json.shipDate).toBe('2031-05-06');
  });

  it('returns 409 if the order has not reached the previous status', async () => {
    const placed = await shop.placeOrder((await shop.listPet()).id);
    expectProblem(await move(placed.id, 'shipment'), 409, 'conflict');
    expectProblem(await move(placed.id, 'delivery'), 409, 'conflict');
    const { order } = await shop.sell();
    expectProblem(await move(order.id, 'delivery'), 409, 'conflict');
  });

  it('returns 404 for an unknown order', async () => {
    expectProblem(await move(randomUUID(), 'shipment'), 404, 'not-found');
    expectProblem(await move(randomUUID(), 'delivery'), 404, 'not-found');
  });
});

/** Proves contract 2.7, contract 13.6 and contract 13.10. */
describe('deleting an order', () => {
  const isDeleted = async (id: string) => {
    const { status, text } = await shop.request('DELETE', `/v1/orders/${id}`);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    for (const part of ['', '/payment', '/receipt']) expectProblem(await shop.request('GET', `/v1/orders/${id}${part}`), 404, 'not-found');
    expectProblem(await shop.request('DELETE', `/v1/orders/${id}`), 404, 'not-found');
  };

  it('that is placed releases the pet', async () => {
    const pet = await shop.listPet();
    await isDeleted((await shop.placeOrder(pet.id)).id);
    await shop.petBecomes(pet.id, 'AVAILABLE');
    expect((await place({ petId: pet.id })).status).toBe(201);
  });

  it('that is approved releases the pet', async () => {
    const { pet, order } = await shop.sell();
    await isDeleted(order.id);
    await shop.petBecomes(pet.id, 'AVAILABLE');
  });

  it.each(['shipped', 'delivered'])('that is %s removes it from reads, and the pet stays ADOPTED', async (status) => {
    const { pet, order } = await shop.sell();
    await move(order.id, 'shipment');
    if (status === 'delivered') await move(order.id, 'delivery');
    await isDeleted(order.id);
    expect(await petStatus(pet)).toBe('ADOPTED');
  });

  it('returns 404 for an unknown id, and 400 for a malformed one', async () => {
    expectProblem(await shop.request('DELETE', `/v1/orders/${randomUUID()}`), 404, 'not-found');
    expectProblem(await shop.request('DELETE', '/v1/orders/rex'), 400, 'invalid-request', { id: 'INVALID_FORMAT' });
  });
});

/** Proves contract 5.8, contract 7.1, contract 7.4 and contract 13.8. */
describe('a list of orders', () => {
  it('shows all orders to staff, newest first, with filters and pages', async () => {
    const own = await openShop(service);
    const pets = [await own.listPet(), await own.listPet(), await own.listPet()];
    const orders: Order[] = [];
    for (const [nth, { id }] of pets.entries()) orders.push(await own.placeOrder(id, { userId: nth === 1 ? 'bob' : 'ann' }));
    await own.pay(orders[0]?.id ?? '');
    await own.orderBecomes(orders[0]?.id ?? '', 'approved');
    const list = async (query: string) => (await own.requestAsStaff<Page<Order>>('GET', `/v1/orders${query}`)).json;
    const indexesOf = async (query: string) => (await list(query)).data.map(({ id }) => orders.findIndex((order) => order.id === id));
    expect(await indexesOf('')).toEqual([2, 1, 0]);
    expect(await indexesOf('?status=PLACED')).toEqual([2, 1]);
    expect(await indexesOf('?status=approved')).toEqual([0]);
    expect(await indexesOf('?status=cancelled')).toEqual([]);
    expect(await indexesOf(`?petId=${pets[1]?.id}`)).toEqual([1]);
    expect(await indexesOf('?userId=ann')).toEqual([2, 0]);
    expect(await indexesOf('?userId=ann&status=placed')).toEqual([2]);
    expect(await indexesOf('?limit=2&page=2')).toEqual([0]);
    const page = await list('?userId=ann&limit=1');
    expect(page.pagination).toEqual({ page: 1, limit: 1, totalItems: 2, totalPages: 2 });
    const next = new URL(page.links.next ?? 'about:blank');
    expect(await indexesOf(next.search)).toEqual([0]);
  });

  it('shows other callers only their own orders, whatever the filter', async () => {
    const own = await openShop(service);
    for (const userId of ['ann', 'bob']) await own.placeOrder((await own.listPet()).id, { userId });
    const token = await service.token('read:pets', { subject: 'ann' });
    const users = async (query: string) =>
      (await own.request<Page<Order>>('GET', `/v1/orders${query}`, { token })).json.data.map(({ userId }) => userId);
    expect(await users('')).toEqual(['ann']);
    expect(await users('?userId=ann')).toEqual(['ann']);
    const others = await own.request<Page<Order>>('GET', '/v1/orders?userId=bob', { token });
    expect(others.status === 403 || others.json.data.length === 0).toBe(true);
  });

  it('with invalid parameters returns 400 or 422 and lists every one', async () => {
    const request = (query: string) => shop.requestAsStaff('GET', `/v1/orders?${query}`);
    expectProblem(await request('status=lost&limit=101'), 422, 'validation-failed', { status: 'invalid_enum', limit: 'too_big' });
    for (const petId of ['zz', '', '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e6', '0190a6b27c1e7a349b0f3f1a5c2d4e60', 'null'])
      expectProblem(await request(`petId=${petId}`), 400, 'invalid-request', { petId: 'INVALID_FORMAT' });
    expectProblem(await request('page=x&q=1'), 400, 'invalid-request', { page: 'invalid_type', q: 'unknown_parameter' });
  });
});
