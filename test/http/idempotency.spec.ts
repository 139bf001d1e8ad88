import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { card, CARDS, openShop, PLAIN_PET, type Order, type Payment, type Pet, type Shop } from './shop.js';

const UUID_V8 = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop());

const create = (idempotencyKey: string, body: object = PLAIN_PET) => shop.requestAsStaff<Pet>('POST', '/v1/pets', { idempotencyKey, body });
const replayed = 'idempotent-replayed';

/** Proves contract 3.1, contract 9.1, contract 9.2, contract 9.3, contract 9.4 and contract 9.5. */
describe('an Idempotency-Key', () => {
  it('replays the first response, with Idempotent-Replayed', async () => {
    const key = randomUUID();
    const first = await create(key);
    const again = await create(key);
    expect(first.headers[replayed]).toBeUndefined();
    expect(again.headers[replayed]).toBe('true');
    expect(first.json.id).toMatch(UUID_V8);
    for (const name of ['location', 'etag', 'content-type']) expect(again.headers[name]).toBe(first.headers[name]);
    expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: first.text });
  });

  it('replays the first response even after the pet has changed', async () => {
    const key = randomUUID();
    const { json, text } = await create(key);
    await shop.requestAsStaff('PUT', `/v1/pets/${json.id}`, { body: { ...json, name: 'Changed' } });
    expect((await create(key)).text).toBe(text);
    await shop.requestAsStaff('DELETE', `/v1/pets/${json.id}`);
    expect((await create(key)).text).toBe(text);
  });

  it('compares bodies by their values, not by their text', async () => {
    const key = randomUUID();
    const { json } = await create(key, { name: 'Ada', species: 'DOG', ageMonths: 1 });
    expect((await create(key, { ageMonths: 1, species: 'dog', name: 'Ada', status: 'available' })).json.id).toBe(json.id);
  });

  it('takes null for an optional or read-only member as its absence', async () => {
    const key = randomUUID();
    const { json } = await create(key, { name: 'Ada', species: 'DOG', ageMonths: 1, createdAt: null, medicalInfo: { healthNotes: null } });
    const again = await create(key, { name: 'Ada', species: 'DOG', ageMonths: 1, breed: null, medicalInfo: {} });
    expect([again.headers[replayed], again.json]).toEqual(['true', json]);
  });

  it('rejects a repeated request with another body', async () => {
    const key = randomUUID();
    await create(key);
    expectProblem(await create(key, { ...PLAIN_PET, name: 'Other' }), 422, 'idempotency-key-reused', { 'Idempotency-Key': 'mismatch' });
  });

  it('does not replay a rejection: a repeated request is handled again', async () => {
    const key = randomUUID();
    expectProblem(await create(key, { name: 'Ada' }), 422, 'validation-failed', { species: 'required', ageMonths: 'required' });
    expect((await create(key)).status).toBe(201);
  });

  it('is independent of the same key of another caller, tenant or operation', async () => {
    const key = randomUUID();
    const { json: pet } = await create(key);
    const ann = await service.token('write:pets', { subject: 'ann' });
    const byAnn = await shop.request<Pet>('POST', '/v1/pets', { token: ann, idempotencyKey: key, body: { ...PLAIN_PET, name: 'Ann’s' } });
    const elsewhere = await shop.requestAsStaff<Pet>('POST', '/v1/pets', {
      tenant: randomUUID(),
      idempotencyKey: key,
      body: { ...PLAIN_PET, name: 'Elsewhere' },
    });
    const order = await shop.requestAsStaff<Order>('POST', '/v1/orders', { idempotencyKey: key, body: { petId: pet.id } });
    expect([byAnn, elsewhere, order].map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set([pet.id, byAnn.json.id, elsewhere.json.id, order.json.id]).size).toBe(4);
  });

  it.each([
    ['of 256 characters', 'k'.repeat(256)],
    ['that is empty', ''],
    ['with a space', 'a b'],
    ['with a non-ASCII letter', 'schlüssel'],
  ])('%s gets 400', async (_, key) => {
    expectProblem(await create(key), 400, 'invalid-request', { 'Idempotency-Key': 'INVALID_FORMAT' });
  });

  it('may have 255 characters', async () => {
    expect((await create('k'.repeat(255))).status).toBe(201);
  });
});

/** Proves contract 9.2 and contract 9.3. */
describe('an order with an Idempotency-Key', () => {
  it('is placed once, also by callers without a token', async () => {
    const { id: petId } = await shop.listPet();
    const place = () => shop.request<Order>('POST', '/v1/orders', { idempotencyKey: petId, body: { petId } });
    const first = await place();
    const again = await place();
    expect(first.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers[replayed]).toBe('true');
    await shop.pay(first.json.id);
    await shop.orderBecomes(first.json.id, 'approved');
    expect((await place()).text).toBe(first.text);
  });

  it('is rejected if its key was used for another pet, and does not reserve its own pet', async () => {
    const [one, other] = [await shop.listPet(), await shop.listPet()];
    const place = (petId: string) => shop.request<Order>('POST', '/v1/orders', { idempotencyKey: one.id, body: { petId } });
    expect((await place(one.id)).status).toBe(201);
    expectProblem(await place(other.id), 422, 'idempotency-key-reused', { 'Idempotency-Key': 'mismatch' });
    expect((await shop.request<Pet>('GET', `/v1/pets/${other.id}`)).json.status).toBe('AVAILABLE');
  });
});

/** Proves contract 9.2 and contract 9.3. */
describe('a payment with an Idempotency-Key', () => {
  const pay = (orderId: string, idempotencyKey: string, source: object) =>
    shop.request<Payment>('POST', `/v1/orders/${orderId}/payment`, { idempotencyKey, body: { amount: '250.00', currency: 'USD', source } });

  it('is accepted once, and its first response is replayed', async () => {
    const order = await shop.placeOrder((await shop.listPet()).id);
    const first = await pay(order.id, 'pay-once', card());
    const again = await pay(order.id, 'pay-once', card());
    expect(first.json).toMatchObject({ status: 'processing' });
    expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: first.text });
    await shop.orderBecomes(order.id, 'approved');
    const later = await pay(order.id, 'pay-once', card());
    expect({ text: later.text, replayed: later.headers[replayed] }).toEqual({ text: first.text, replayed: 'true' });
  });

  it('is rejected if its key was used with another card, even one with the same last digits', async () => {
    const order = await shop.placeOrder((await shop.listPet()).id);
    const key = randomUUID();
    await pay(order.id, key, card('4000000000000002'));
    expectProblem(await pay(order.id, key, card('4111110000030002')), 422, 'idempotency-key-reused', { 'Idempotency-Key': 'mismatch' });
  });

  it('that has failed replays its first response; a new payment needs a new key', async () => {
    const order = await shop.placeOrder((await shop.listPet()).id);
    const declined = await pay(order.id, 'first-try', card(CARDS.declined));
    await shop.paymentBecomes(order.id, 'failed');
    expect((await pay(order.id, 'first-try', card(CARDS.declined))).text).toBe(declined.text);
    expect((await pay(order.id, 'second-try', card())).status).toBe(201);
    await shop.orderBecomes(order.id, 'approved');
  });
});
