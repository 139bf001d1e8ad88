import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { openShop, PLAIN_PET, type Pet, type Shop } from './shop.js';

type ClassicPet = {
  readonly id: number;
  readonly name: string;
  readonly category?: { readonly id?: number; readonly name?: string };
  readonly photoUrls: readonly string[];
  readonly tags: readonly { readonly id?: number; readonly name?: string }[];
  readonly status: string;
};

const LUNA = {
  name: 'Luna',
  category: { id: 1, name: 'Dogs' },
  photoUrls: ['https://pets.example.com/luna.jpg'],
  tags: [{ id: 5, name: 'gentle' }, { name: 'old' }],
  status: 'available',
} as const;

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service, randomUUID());
});
afterAll(() => service.stop());

const putPet = (pet: object) => shop.requestAsStaff<ClassicPet>('PUT', '/api/v3/pet', { body: pet });
const addPet = (pet: object = LUNA) => shop.requestAsStaff<ClassicPet>('POST', '/api/v3/pet', { body: pet });
const getPet = (id: number) => shop.request<ClassicPet>('GET', `/api/v3/pet/${id}`);
/** Returns the newest pet, as /v1 shows it. */
const newestPet = async (): Promise<Pet> =>
  (await shop.requestAsStaff<{ data: readonly [Pet] }>('GET', '/v1/pets?status=ALL&limit=1')).json.data[0];

/** Proves contract 39.2, contract 39.3 and contract 39.4. Proves rows of contract 42.7 and 42.15. */
describe('POST /api/v3/pet', () => {
  it('returns 200 and the pet as sent, with an id that the service assigns', async () => {
    const { status, json } = await addPet({ ...LUNA, id: 4_711 });
    expect([status, json]).toEqual([200, { ...LUNA, id: expect.any(Number) }]);
    expect(json.id).not.toBe(4_711);
    expect((await getPet(json.id)).json).toEqual(json);
  });

  it('creates a pet that /v1 lists without its category and tags', async () => {
    await addPet();
    const pet = await newestPet();
    expect(pet).toMatchObject({ name: 'Luna', species: 'DOG', ageMonths: 0, status: 'AVAILABLE', photos: LUNA.photoUrls });
    expect(Object.keys(pet).filter((name) => ['category', 'tags', 'classic', 'number'].includes(name))).toEqual([]);
  });

  it.each([
    ['Dogs', 'DOG'],
    ['cat', 'CAT'],
    ['RABBITS', 'RABBIT'],
    ['bird', 'BIRD'],
    ['Reptiles', 'REPTILE'],
    ['Fish', 'OTHER'],
    [undefined, 'OTHER'],
  ])('maps the category %s to the species %s', async (name, species) => {
    await addPet({ name: 'Luna', photoUrls: [], ...(name && { category: { name } }) });
    expect((await newestPet()).species).toBe(species);
  });

  it.each([
    ['available', 'AVAILABLE'],
    ['pending', 'PENDING'],
    ['sold', 'ADOPTED'],
    [undefined, 'AVAILABLE'],
  ])('maps the status %s to %s', async (status, expected) => {
    const { json } = await addPet({ name: 'Luna', photoUrls: [], ...(status && { status }) });
    expect([json.status, (await newestPet()).status]).toEqual([status ?? 'available', expected]);
  });

  it.each([
    [{ photoUrls: [] }, 'name: is required.'],
    [{ name: 'Luna', status: 'lost' }, /^status: must be one of/],
    [{ name: 'Luna', colour: 'red' }, 'colour: is not a known property.'],
    [{ name: 'Luna', tags: [{ name: 'old' }, { name: 5 }] }, /^tags\[1\]\.name: /],
    [{ name: 'Luna', tags: ['old'] }, /./],
    [{ name: 'Luna', tags: [{ title: 'old' }] }, 'tags[0].title: is not a known property.'],
    [{ name: 'Luna', category: { id: 1.5 } }, /^category\.id/],
    [{ name: '', photoUrls: ['x'.repeat(2_049)] }, /^name: .*; photoUrls\[0\]: /],
    [{ name: 'Luna', photoUrls: Array.from({ length: 33 }, () => 'x'.repeat(2_000)) }, /^photoUrls: must be shorter/],
  ])('rejects %j with 422, and names what is wrong', async (pet, message) => {
    const { status, json } = await addPet(pet);
    expect([status, json]).toEqual([
      422,
      { code: 422, type: 'validation-failed', message: typeof message === 'string' ? message : expect.stringMatching(message) },
    ]);
  });

  it('answers a repeated Idempotency-Key with the same pet', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const send = (pet: object) => shop.requestAsStaff<ClassicPet>('POST', '/api/v3/pet', { body: pet, headers });
    const first = await send(LUNA);
    const second = await send(LUNA);
    expect([second.json, second.headers['idempotent-replayed']]).toEqual([first.json, 'true']);
    expect((await send({ ...LUNA, tags: [] })).status).toBe(422);
  });
});

/** Proves contract 39.4. */
describe('a photo that is no http or https address', () => {
  const PHOTOS = ['string', 'https://pets.example.com/luna.jpg', '', 'data:image/png;base64,AAAA', 'image:/v1/pets/1', 'Ω'.repeat(2_048)];

  it('is shown by the classic variant at its place, and by no other interface', async () => {
    const { status, json } = await addPet({ ...LUNA, photoUrls: PHOTOS });
    expect([status, json.photoUrls]).toEqual([200, PHOTOS]);
    expect((await newestPet()).photos).toEqual(['https://pets.example.com/luna.jpg']);
    expect((await putPet({ ...json, name: 'Max' })).json).toEqual({ ...json, name: 'Max' });
    expect((await shop.request('GET', '/v1/pets')).text).not.toContain('data:image');
  });

  it('stays when another interface changes the pet, and ends with a change of the classic variant', async () => {
    const { id } = (await addPet({ ...LUNA, photoUrls: ['a', 'https://pets.example.com/1.jpg', 'b'] })).json;
    const photos = ['https://pets.example.com/2.jpg', 'https://pets.example.com/3.jpg'];
    await shop.requestAsStaff('PUT', `/v1/pets/${(await newestPet()).id}`, { body: { ...PLAIN_PET, photos, status: 'AVAILABLE' } });
    await shop.requestAsStaff('POST', `/api/v3/pet/${id}?name=Max`);
    expect((await getPet(id)).json.photoUrls).toEqual(['a', photos[0], 'b', photos[1]]);
    expect((await putPet({ ...LUNA, id, photoUrls: [] })).json.photoUrls).toEqual([]);
  });

  it('counts towards the limit of 100 photos', async () => {
    const { id } = (await addPet({ ...LUNA, photoUrls: Array.from({ length: 100 }, (_, at) => `photo ${at}`) })).json;
    const upload = { body: { ...PLAIN_PET, photos: ['https://pets.example.com/1.jpg'], status: 'AVAILABLE' } };
    expect((await shop.requestAsStaff('PUT', `/v1/pets/${(await newestPet()).id}`, upload)).status).toBe(409);
    expect((await getPet(id)).json.photoUrls).toHaveLength(100);
  });
});

/** Proves contract 39.3. */
describe('the id of a pet', () => {
  it('is also assigned to pets that are created by /v1', async () => {
    const pet = await shop.listPet(PLAIN_PET);
    const found = await shop.request<readonly ClassicPet[]>('GET', '/api/v3/pet/findByStatus');
    const [newest] = found.json;
    expect(newest).toEqual({
      id: expect.any(Number),
      name: pet.name,
      category: { name: 'DOG' },
      photoUrls: [],
      tags: [],
      status: 'available',
    });
  });

  it('is unique in its tenant: another tenant has a pet of its own with the same id', async () => {
    const [first, second] = [await openShop(service, randomUUID()), await openShop(service, randomUUID())];
    const [one, two] = [
      (await first.requestAsStaff<ClassicPet>('POST', '/api/v3/pet', { body: { ...LUNA, name: 'One' } })).json,
      (await second.requestAsStaff<ClassicPet>('POST', '/api/v3/pet', { body: { ...LUNA, name: 'Two' } })).json,
    ];
    expect(one.id).toBe(two.id);
    expect((await first.request<ClassicPet>('GET', `/api/v3/pet/${two.id}`)).json.name).toBe('One');
  });

  it('is not used again after the pet was deleted', async () => {
    const { id } = (await addPet()).json;
    expect((await shop.requestAsStaff('DELETE', `/api/v3/pet/${id}`)).status).toBe(200);
    expect((await getPet(id)).status).toBe(404);
    expect((await addPet()).json.id).toBeGreaterThan(id);
  });

  it.each(['0', '-1', '1.5', 'x', '01', '99999999999999999999'])('%s is 400', async (id) => {
    const { status, json } = await shop.request('GET', `/api/v3/pet/${id}`);
    expect([status, json]).toEqual([400, { code: 400, type: 'invalid-request', message: expect.stringContaining('petId') }]);
  });
});

/** Proves contract 39.4. */
describe('a pet that is not offered', () => {
  it('is not shown', async () => {
    const { id } = (await addPet()).json;
    const pet = await newestPet();
    await shop.requestAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...pet, status: 'NOT_AVAILABLE' } });
    expect((await getPet(id)).status).toBe(404);
    const { json } = await shop.request<readonly ClassicPet[]>('GET', '/api/v3/pet/findByStatus?status=available,pending,sold');
    expect(json.filter((found) => found.id === id)).toEqual([]);
    expect((await shop.requestAsStaff('PUT', '/api/v3/pet', { body: { ...LUNA, id } })).status).toBe(404);
  });
});

/** Proves contract 39.4. */
describe('PUT /api/v3/pet', () => {
  it('replaces the members of the classic shape, and keeps the other details', async () => {
    const pet = await shop.listPet({ ...PLAIN_PET, breed: 'Collie', price: '10.00' });
    const [{ id }] = (await shop.request<readonly [ClassicPet]>('GET', '/api/v3/pet/findByStatus')).json;
    const changed = { id, name: 'Max', category: { name: 'cats' }, photoUrls: [], tags: [{ name: 'old' }], status: 'pending' };
    const { status, json } = await putPet(changed);
    expect([status, json]).toEqual([200, changed]);
    const after = (await shop.request<Pet>('GET', `/v1/pets/${pet.id}`)).json;
    expect(after).toMatchObject({
      name: 'Max',
      species: 'CAT',
      status: 'PENDING',
      breed: 'Collie',
      price: '10.00',
      ageMonths: PLAIN_PET.ageMonths,
    });
  });

  it('keeps the species if the category is unchanged or missing', async () => {
    const pet = await shop.listPet({ ...PLAIN_PET, species: 'RABBIT' });
    const [shown] = (await shop.request<readonly [ClassicPet]>('GET', '/api/v3/pet/findByStatus')).json;
    await putPet({ ...shown, name: 'Max' });
    const { category: _, ...withoutCategory } = shown;
    await putPet({ ...withoutCategory, name: 'Moritz' });
    expect((await shop.request<Pet>('GET', `/v1/pets/${pet.id}`)).json).toMatchObject({ name: 'Moritz', species: 'RABBIT' });
  });

  it('does not store a category that only shows the species: it changes with the species', async () => {
    const { id } = await shop.listPet({ ...PLAIN_PET, species: 'RABBIT' });
    const [shown] = (await shop.request<readonly [ClassicPet]>('GET', '/api/v3/pet/findByStatus')).json;
    await putPet({ ...shown, name: 'Max' });
    await shop.requestAsStaff('PUT', `/v1/pets/${id}`, { body: { ...PLAIN_PET, species: 'CAT', status: 'AVAILABLE' } });
    expect((await getPet(shown.id)).json.category).toEqual({ name: 'CAT' });
  });

  it('is not needed again after PUT /v1/pets, which keeps category and tags', async () => {
    const { id } = (await addPet()).json;
    const pet = await newestPet();
    await shop.requestAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...PLAIN_PET, name: 'Other', status: 'AVAILABLE' } });
    expect((await getPet(id)).json).toEqual({ ...LUNA, id, name: 'Other', photoUrls: [] });
  });

  it('is 404 for an unknown id, and 422 without one', async () => {
    expect((await putPet({ ...LUNA, id: 999_999 })).json).toEqual({
      code: 404,
      type: 'not-found',
      message: 'There is no pet with this id.',
    });
    expect((await putPet(LUNA)).json).toEqual({ code: 422, type: 'validation-failed', message: 'id: is required.' });
  });

  it('is 409 if it changes the status of a reserved pet', async () => {
    const { json: pet } = await addPet();
    await shop.request('POST', '/api/v3/store/order', { body: { petId: pet.id } });
    expect(await putPet({ ...pet, status: 'sold' })).toMatchObject({ status: 409, json: { code: 409, type: 'conflict' } });
    for (const [method, query] of [
      ['POST', '?status=sold'],
      ['DELETE', ''],
    ] as const)
      expect(await shop.requestAsStaff(method, `/api/v3/pet/${pet.id}${query}`)).toMatchObject({ status: 409, json: { code: 409 } });
    expect((await putPet({ ...pet, name: 'Held', status: 'pending' })).status).toBe(200);
  });
});

/** Proves contract 39.4. */
describe('POST /api/v3/pet/{petId}', () => {
  const change = (id: number | string, query: string) => shop.requestAsStaff<ClassicPet>('POST', `/api/v3/pet/${id}${query}`);

  it('changes name and status, each alone or both', async () => {
    const { id } = (await addPet()).json;
    expect((await change(id, '?name=Max&status=sold')).json).toEqual({ ...LUNA, id, name: 'Max', status: 'sold' });
    expect((await change(id, '?status=available')).json).toMatchObject({ name: 'Max', status: 'available' });
    expect((await change(id, '?name=Ida')).json).toMatchObject({ name: 'Ida', status: 'available' });
    expect((await change(id, '')).json).toMatchObject({ name: 'Ida', status: 'available' });
  });

  it('takes name and status from a form too, which has priority over the query', async () => {
    const { id } = (await addPet()).json;
    const send = (fields: string, query = '') =>
      shop.requestAsStaff<ClassicPet>('POST', `/api/v3/pet/${id}${query}`, {
        raw: fields,
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
      });
    expect((await send('name=Max+M&status=pending')).json).toMatchObject({ name: 'Max M', status: 'pending' });
    expect((await send('name=Ida', '?name=Max&status=sold')).json).toMatchObject({ name: 'Ida', status: 'sold' });
    expect((await send('', '?name=Max')).json).toMatchObject({ name: 'Max' });
    for (const fields of ['status=lost', 'name=a&name=b', 'colour=red', `name=${'x'.repeat(51)}`])
      expect((await send(fields)).status).toBe(400);
    // A JSON body is ignored, as that of every POST that takes none (contract 2.2).
    expect((await shop.requestAsStaff('POST', `/api/v3/pet/${id}?status=sold`, { body: { name: 5 } })).json).toMatchObject({ name: 'Max' });
  });

  it.each(['?status=lost', '?name=', '?name=a&name=b', '?colour=red', `?name=${'x'.repeat(51)}`])('is 400 for %s', async (query) => {
    const { id } = (await addPet()).json;
    expect(await change(id, query)).toMatchObject({ status: 400, json: { code: 400, type: 'invalid-request' } });
  });

  it('is 400 for an id that is not an integer, and 404 for an unknown id', async () => {
    expect([(await change('x', '?name=Max')).status, (await change(999_999, '?name=Max')).status]).toEqual([400, 404]);
  });
});

/** Proves contract 39.4. */
describe('finding pets', () => {
  it('by status shows available pets by default, and several statuses on request', async () => {
    const other = await openShop(service, randomUUID());
    for (const status of ['available', 'pending', 'sold'])
      await other.requestAsStaff('POST', '/api/v3/pet', { body: { ...LUNA, name: status, status } });
    const names = async (query: string) =>
      (await other.request<readonly ClassicPet[]>('GET', `/api/v3/pet/findByStatus${query}`)).json.map(({ name }) => name);
    expect(await names('')).toEqual(['available']);
    expect(await names('?status=sold,pending')).toEqual(['sold', 'pending']);
    expect(await names('?status=sold&status=available')).toEqual(['sold', 'available']);
    expect((await other.request('GET', '/api/v3/pet/findByStatus?status=lost')).status).toBe(400);
  });

  it('by tags shows pets with one of the tags', async () => {
    const other = await openShop(service, randomUUID());
    for (const tags of [['red', 'green'], ['green'], ['blue'], []])
      await other.requestAsStaff('POST', '/api/v3/pet', { body: { name: tags.join() || 'none', tags: tags.map((name) => ({ name })) } });
    const names = async (query: string) =>
      (await other.request<readonly ClassicPet[]>('GET', `/api/v3/pet/findByTags?${query}`)).json.map(({ name }) => name);
    expect(await names('tags=green')).toEqual(['red,green', 'green']);
    expect(await names('tags=red,blue')).toEqual(['red,green', 'blue']);
    expect(await names('tags=red&tags=none')).toEqual(['red,green']);
    expect((await other.request('GET', '/api/v3/pet/findByTags')).status).toBe(400);
  });
});
