import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { openShop, PLAIN_PET, type Page, type Pet, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop());

const replace = (id: string, body: unknown) => shop.requestAsStaff<Pet>('PUT', `/v1/pets/${id}`, { body });
const read = (id: string) => shop.request<Pet>('GET', `/v1/pets/${id}`);
const retire = (id: string) => shop.requestAsStaff('DELETE', `/v1/pets/${id}`);

/** Proves contract 3.9, contract 12.4 and contract 12.7. Proves rows of contract 42.2, 42.3, 42.9, 42.11, 42.18 and 42.21. */
describe('replacing a pet', () => {
  it('clears missing optional fields', async () => {
    const pet = await shop.listPet({ breed: 'Beagle', medicalInfo: { vaccinated: true }, photos: ['https://pets.example.com/1.jpg'] });
    const { status, json } = await replace(pet.id, { ...PLAIN_PET, name: 'Rex', status: 'available' });
    expect(status).toBe(200);
    const { id, createdAt, tenantId } = pet;
    expect(json).toEqual({ ...PLAIN_PET, name: 'Rex', status: 'AVAILABLE', id, createdAt, updatedAt: json.updatedAt, tenantId });
    expect((await read(pet.id)).json).toEqual(json);
  });

  it('accepts an edited response, because read-only fields are ignored', async () => {
    const pet = await shop.listPet({ medicalInfo: { specialNeeds: true } });
    const { status, json } = await replace(pet.id, { ...pet, name: 'Edited', createdAt: 'never', tenantId: randomUUID() });
    expect(status).toBe(200);
    expect(json).toEqual({ ...pet, name: 'Edited', updatedAt: json.updatedAt });
  });

  it('changes updatedAt and keeps createdAt', async () => {
    const pet = await shop.listPet();
    const { json } = await replace(pet.id, { ...pet, name: 'Later' });
    expect(json.createdAt).toBe(pet.createdAt);
    expect(Date.parse(json.updatedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(pet.createdAt ?? ''));
  });

  it('rejects a body with another id than the path', async () => {
    const pet = await shop.listPet();
    expectProblem(await replace(pet.id, { ...pet, id: randomUUID() }), 422, 'validation-failed', { id: 'mismatch' });
    expect((await replace(pet.id, { ...pet, id: pet.id.toUpperCase() })).status).toBe(200);
  });

  it('requires a status', async () => {
    const pet = await shop.listPet();
    expectProblem(await replace(pet.id, PLAIN_PET), 422, 'validation-failed', { status: 'required' });
  });

  it.each(['PENDING', 'ADOPTED', 'NOT_AVAILABLE', 'AVAILABLE'])('sets the status %s of a free pet', async (status) => {
    const pet = await shop.listPet();
    expect((await replace(pet.id, { ...pet, status })).json).toMatchObject({ status });
  });

  it('returns 409 for another status of a reserved pet, and changes its other fields', async () => {
    const pet = await shop.listPet();
    await shop.placeOrder(pet.id);
    expectProblem(await replace(pet.id, { ...pet, status: 'AVAILABLE' }), 409, 'conflict');
    expect((await replace(pet.id, { ...pet, status: 'PENDING', name: 'Taken' })).json).toMatchObject({ status: 'PENDING', name: 'Taken' });
  });

  it('returns 404 for an unknown pet', async () => {
    expectProblem(await replace(randomUUID(), { ...PLAIN_PET, status: 'AVAILABLE' }), 404, 'not-found');
  });
});

/** Proves contract 2.7 and contract 12.8. */
describe('deleting a pet', () => {
  it('returns 204 without a body, and removes it from reads and lists', async () => {
    const pet = await shop.listPet({ name: 'Farewell' });
    const { status, text } = await retire(pet.id);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expectProblem(await read(pet.id), 404, 'not-found');
    expectProblem(await replace(pet.id, { ...pet, id: pet.id }), 404, 'not-found');
    expectProblem(await retire(pet.id), 404, 'not-found');
    const { json } = await shop.requestAsStaff<Page<Pet>>('GET', '/v1/pets?status=ALL&limit=100');
    expect(json.data.map(({ id }) => id)).not.toContain(pet.id);
    expect(json.data.length).toBe(json.pagination.totalItems);
  });

  it('returns 409 while an open order reserves it, and 204 afterwards', async () => {
    const pet = await shop.listPet();
    const order = await shop.placeOrder(pet.id);
    expectProblem(await retire(pet.id), 409, 'conflict');
    expect((await shop.request('DELETE', `/v1/orders/${order.id}`)).status).toBe(204);
    await shop.petBecomes(pet.id, 'AVAILABLE');
    expect((await retire(pet.id)).status).toBe(204);
  });

  it('makes an order for it return 404', async () => {
    const pet = await shop.listPet();
    await retire(pet.id);
    expectProblem(await shop.request('POST', '/v1/orders', { body: { petId: pet.id } }), 404, 'not-found');
  });
});
