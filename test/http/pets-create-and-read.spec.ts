import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { openShop, PLAIN_PET, type Pet, type Shop } from './shop.js';

const FULL_PET = {
  name: 'Luna',
  species: 'CAT',
  breed: 'Maine Coon',
  ageMonths: 0,
  size: 'LARGE',
  color: 'silver tabby 🐈',
  gender: 'FEMALE',
  goodWithKids: false,
  price: '1234567890.05',
  currency: 'EUR',
  description: 'Line one\nline two',
  status: 'NOT_AVAILABLE',
  photos: ['https://pets.example.com/luna.jpg', 'http://pets.example.com/luna-2.jpg?w=1'],
  medicalInfo: { spayedNeutered: true, vaccinated: false, microchipped: true, specialNeeds: false, healthNotes: '' },
};
const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop());

const create = (body: unknown) => shop.requestAsStaff<Pet>('POST', '/v1/pets', { body });
const read = (id: string) => shop.request<Pet>('GET', `/v1/pets/${id}`);

/**
 * Proves contract 2.7, contract 3.1, contract 3.2, contract 3.4, contract 3.6, contract 3.9, contract 12.1,
 * contract 12.2 and contract 12.5.
 * Proves rows of contract 42.2, 42.3, 42.9, 42.11, 42.18 and 42.21.
 */
describe('creating a pet', () => {
  it('returns the pet with its id and times, and its Location', async () => {
    const { status, headers, json } = await create(FULL_PET);
    expect(status).toBe(201);
    expect(json).toEqual({ ...FULL_PET, id: json.id, createdAt: json.createdAt, updatedAt: json.createdAt, tenantId: shop.tenant });
    expect(json.id).toMatch(UUID_V7);
    expect(json.createdAt).toMatch(UTC);
    expect(new URL(headers.location ?? '', service.url).pathname).toBe(`/v1/pets/${json.id}`);
  });

  it('requires a name, a species and an age; other fields have a default or are absent', async () => {
    const { json } = await create(PLAIN_PET);
    const { id, createdAt, updatedAt } = json;
    expect(json).toEqual({ ...PLAIN_PET, status: 'AVAILABLE', id, createdAt, updatedAt, tenantId: shop.tenant });
    expectProblem(await create({}), 422, 'validation-failed', { name: 'required', species: 'required', ageMonths: 'required' });
  });

  it('uses USD for a price without a currency', async () => {
    expect((await create({ ...PLAIN_PET, price: '9.99' })).json).toMatchObject({ price: '9.99', currency: 'USD' });
  });

  it.each([
    ['lower case', { species: 'dog', size: 'large', gender: 'male', status: 'pending', currency: 'eur' }],
    ['mixed case', { species: 'Dog', size: 'lARge', gender: 'Male', status: 'Pending', currency: 'Eur' }],
  ])('reads enums in %s and returns them in upper case', async (_, enums) => {
    const canonical = { species: 'DOG', size: 'LARGE', gender: 'MALE', status: 'PENDING', currency: 'EUR' };
    expect((await create({ ...PLAIN_PET, price: '1.00', ...enums })).json).toMatchObject(canonical);
  });

  it.each(['not-available', 'NOT-AVAILABLE', 'not_available', 'Not_Available'])('reads the status %s as NOT_AVAILABLE', async (status) => {
    expect((await create({ ...PLAIN_PET, status })).json).toMatchObject({ status: 'NOT_AVAILABLE' });
  });

  it('ignores read-only fields, whatever their values', async () => {
    const sent = { ...PLAIN_PET, id: randomUUID(), createdAt: 'yesterday', updatedAt: 5, tenantId: { deep: [null] } };
    const { status, json } = await create(sent);
    expect(status).toBe(201);
    expect(json.id).not.toBe(sent.id);
    expect(json.createdAt).toMatch(UTC);
    expect(json.tenantId).toBe(shop.tenant);
  });

  it('gives every pet a unique id, in increasing order', async () => {
    const ids = [];
    for (let nth = 0; nth < 20; nth++) ids.push((await create(PLAIN_PET)).json.id);
    expect(ids).toEqual([...new Set(ids)].toSorted());
  });

  it.each([
    ['a name of 50 characters', { name: '🐶'.repeat(50) }],
    ['an age of 0', { ageMonths: 0 }],
    ['a price of 0.00', { price: '0.00' }],
    ['an empty list of photos', { photos: [] }],
    ['empty medical information', { medicalInfo: {} }],
  ])('accepts %s', async (_, fields) => {
    const { status, json } = await create({ ...PLAIN_PET, ...fields });
    expect(status).toBe(201);
    expect(json).toMatchObject(fields);
  });
});

/** Proves contract 3.1, contract 8.1, contract 10.1 and contract 12.6. */
describe('reading a pet', () => {
  it('returns the response of its creation', async () => {
    const created = await create(FULL_PET);
    const response = await read(created.json.id);
    expect(response.status).toBe(200);
    expect(response.text).toBe(created.text);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.headers.etag).toBe(created.headers.etag);
  });

  it.each(['AVAILABLE', 'PENDING', 'ADOPTED', 'NOT_AVAILABLE'])('finds a pet with the status %s', async (status) => {
    const { json } = await create({ ...PLAIN_PET, status });
    expect((await read(json.id)).json).toMatchObject({ status });
  });

  it('accepts the id in upper or lower case', async () => {
    const { json } = await create(PLAIN_PET);
    expect((await read(json.id.toUpperCase())).json).toEqual(json);
  });

  it('returns 404 for an unknown id', async () => {
    expectProblem(await read(randomUUID()), 404, 'not-found');
  });
});
