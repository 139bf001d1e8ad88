import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { openShop, type Page, type Pet, type Shop } from './shop.js';

const PETS = [
  { name: 'Ada', species: 'DOG', ageMonths: 3, size: 'SMALL', goodWithKids: true },
  { name: 'Bo', species: 'DOG', ageMonths: 30, size: 'LARGE', goodWithKids: false },
  { name: 'Cleo', species: 'CAT', ageMonths: 12, size: 'SMALL', goodWithKids: true },
  { name: 'Dot', species: 'BIRD', ageMonths: 60, size: 'SMALL' },
  { name: 'Eve', species: 'RABBIT', ageMonths: 7 },
  { name: 'Fly', species: 'REPTILE', ageMonths: 200, size: 'MEDIUM', goodWithKids: false },
  { name: 'Gus', species: 'OTHER', ageMonths: 12, size: 'MEDIUM', goodWithKids: true },
  { name: 'Hal', species: 'DOG', ageMonths: 12, status: 'PENDING' },
  { name: 'Ivy', species: 'CAT', ageMonths: 12, status: 'ADOPTED' },
  { name: 'Jim', species: 'CAT', ageMonths: 12, status: 'NOT_AVAILABLE' },
] as const;

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
  for (const pet of PETS) await shop.listPet(pet);
});
afterAll(() => service.stop());

const list = (query = '') => shop.request<Page<Pet>>('GET', `/v1/pets${query}`);
const namesOf = ({ data }: Page<Pet>) => data.map(({ name }) => name).join(' ');

/**
 * Proves contract 7.1, contract 7.2, contract 7.4, contract 12.3 and contract 12.9.
 * Proves rows of contract 42.2, 42.3, 42.4, 42.9, 42.11, 42.19 and 42.21.
 */
describe('a list of pets', () => {
  it('shows AVAILABLE pets by default, newest first, 20 to a page', async () => {
    const { status, json } = await list();
    expect(status).toBe(200);
    expect(namesOf(json)).toBe('Gus Fly Eve Dot Cleo Bo Ada');
    expect(json.pagination).toEqual({ page: 1, limit: 20, totalItems: 7, totalPages: 1 });
  });

  it.each([
    ['species=DOG', 'Bo Ada'],
    ['species=cat', 'Cleo'],
    ['status=PENDING', 'Hal'],
    ['status=adopted', 'Ivy'],
    ['ageMin=12', 'Gus Fly Dot Cleo Bo'],
    ['ageMax=12', 'Gus Eve Cleo Ada'],
    ['ageMin=12&ageMax=12', 'Gus Cleo'],
    ['ageMin=0&ageMax=0', ''],
    ['size=SMALL', 'Dot Cleo Ada'],
    ['size=medium', 'Gus Fly'],
    ['goodWithKids=true', 'Gus Cleo Ada'],
    ['goodWithKids=false', 'Fly Bo'],
    ['species=DOG&size=SMALL&goodWithKids=true&ageMax=5', 'Ada'],
    ['species=DOG&size=MEDIUM', ''],
    ['species=CAT&status=ADOPTED&ageMin=1', 'Ivy'],
  ])('filtered by %s shows "%s" and counts them', async (query, names) => {
    const { json } = await list(`?${query}`);
    expect(namesOf(json)).toBe(names);
    expect(json.pagination.totalItems).toBe(names.split(' ').filter(Boolean).length);
  });

  it('accepts the statuses NOT_AVAILABLE and ALL only from staff', async () => {
    for (const status of ['NOT_AVAILABLE', 'ALL'])
      expectProblem(await list(`?status=${status}`), 422, 'validation-failed', { status: 'invalid_enum' });
    const staff = async (query: string) => namesOf((await shop.requestAsStaff<Page<Pet>>('GET', `/v1/pets?${query}`)).json);
    expect(await staff('status=not-available')).toBe('Jim');
    expect(await staff('status=all')).toBe('Jim Ivy Hal Gus Fly Eve Dot Cleo Bo Ada');
    expect(await staff('status=ALL&species=CAT')).toBe('Jim Ivy Cleo');
  });

  it('has pages that show every pet once', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?limit=3&page=${page}`)));
    expect(pages.map(({ json }) => namesOf(json))).toEqual(['Gus Fly Eve', 'Dot Cleo Bo', 'Ada', '']);
    expect(pages.map(({ json }) => json.pagination)).toEqual(
      [1, 2, 3, 4].map((page) => ({ page, limit: 3, totalItems: 7, totalPages: 3 })),
    );
  });

  it('accepts a limit of 1 to 100, and any page from 1', async () => {
    expect((await list('?limit=1')).json.data).toHaveLength(1);
    expect((await list('?limit=100')).json.pagination).toMatchObject({ limit: 100, totalPages: 1 });
    expect((await list('?page=2147483647')).json.data).toEqual([]);
  });
});

/** Proves contract 7.3. */
describe('the links of a list', () => {
  const follow = async (link: string | null) => {
    const { pathname, search, origin } = new URL(link ?? 'about:blank');
    expect(origin).toBe(service.url);
    return (await shop.request<Page<Pet>>('GET', pathname + search)).json;
  };

  it('keep the filters and lead to the other pages', async () => {
    const { json: second } = await list('?limit=2&page=2&ageMin=5&goodWithKids=false&size=large');
    expect(second.pagination).toEqual({ page: 2, limit: 2, totalItems: 1, totalPages: 1 });
    const { json: first } = await list('?limit=1&page=1&ageMin=5&goodWithKids=false');
    expect(Object.keys(first.links).toSorted()).toEqual(['first', 'last', 'next', 'prev', 'self']);
    expect(first.links.prev).toBeNull();
    const next = await follow(first.links.next);
    expect(namesOf(next)).toBe('Bo');
    expect(next.links.next).toBeNull();
    expect(await follow(next.links.prev)).toEqual(first);
    expect(await follow(next.links.self)).toEqual(next);
    expect(await follow(next.links.last)).toEqual(next);
    expect(await follow(next.links.first)).toEqual(first);
  });

  it('of a page beyond the last one lead back to pages with pets', async () => {
    const { json } = await list('?limit=3&page=9');
    expect(json.links.next).toBeNull();
    expect(namesOf(await follow(json.links.last))).toBe('Ada');
    expect((await follow(json.links.prev)).data.length).toBeGreaterThan(0);
  });

  it('of an empty list have neither next nor prev', async () => {
    const { json } = await list('?species=BIRD&size=LARGE');
    expect(json.pagination).toEqual({ page: 1, limit: 20, totalItems: 0, totalPages: 0 });
    expect(json.links).toMatchObject({ next: null, prev: null });
    expect((await follow(json.links.last)).data).toEqual([]);
  });
});

/** Proves contract 7.4, contract 12.4 and contract 12.7. */
describe('the totals of a list', () => {
  it('are exact after every change', async () => {
    const own = await openShop(service);
    const totals = async () => {
      const total = async (query: string) => (await own.requestAsStaff<Page<Pet>>('GET', `/v1/pets?${query}`)).json.pagination.totalItems;
      return {
        available: await total(''),
        dogs: await total('species=DOG'),
        old: await total('ageMin=24'),
        pending: await total('status=PENDING'),
        all: await total('status=ALL'),
      };
    };
    const none = { available: 0, dogs: 0, old: 0, pending: 0, all: 0 };
    expect(await totals()).toEqual(none);
    const pet = await own.listPet({ ageMonths: 23 });
    expect(await totals()).toEqual({ ...none, available: 1, dogs: 1, all: 1 });
    await own.requestAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...pet, ageMonths: 24 } });
    expect(await totals()).toEqual({ ...none, available: 1, dogs: 1, old: 1, all: 1 });
    await own.requestAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...pet, species: 'CAT', ageMonths: 24 } });
    expect(await totals()).toEqual({ ...none, available: 1, old: 1, all: 1 });
    const order = await own.placeOrder(pet.id);
    expect(await totals()).toEqual({ ...none, pending: 1, all: 1 });
    await own.request('DELETE', `/v1/orders/${order.id}`);
    await own.petBecomes(pet.id, 'AVAILABLE');
    expect(await totals()).toEqual({ ...none, available: 1, old: 1, all: 1 });
    await own.requestAsStaff('DELETE', `/v1/pets/${pet.id}`);
    expect(await totals()).toEqual(none);
  });
});

/** Proves contract 2.4, contract 4.2, contract 7.2 and contract 12.9. */
describe('a list with invalid parameters', () => {
  it.each([
    ['page=0', 422, 'validation-failed', { page: 'too_small' }],
    ['page=2147483648', 422, 'validation-failed', { page: 'too_big' }],
    ['limit=0', 422, 'validation-failed', { limit: 'too_small' }],
    ['limit=101', 422, 'validation-failed', { limit: 'too_big' }],
    ['ageMin=-1', 422, 'validation-failed', { ageMin: 'too_small' }],
    ['ageMin=5&ageMax=4', 422, 'validation-failed', { ageMin: 'too_big' }],
    [
      'species=DRAGON&size=HUGE&status=GONE',
      422,
      'validation-failed',
      { species: 'invalid_enum', size: 'invalid_enum', status: 'invalid_enum' },
    ],
    ['species=', 422, 'validation-failed', { species: 'invalid_enum' }],
    ['limit=abc', 400, 'invalid-request', { limit: 'invalid_type' }],
    ['limit=', 400, 'invalid-request', { limit: 'invalid_type' }],
    ['limit=1.5&page=1e1&ageMin=0x10', 400, 'invalid-request', { limit: 'invalid_type', page: 'invalid_type', ageMin: 'invalid_type' }],
    ['goodWithKids=yes', 400, 'invalid-request', { goodWithKids: 'invalid_type' }],
    ['colour=red', 400, 'invalid-request', { colour: 'unknown_parameter' }],
    ['__proto__=1&constructor=2', 400, 'invalid-request', { ['__proto__']: 'unknown_parameter', constructor: 'unknown_parameter' }],
    ['page=1&page=2', 400, 'invalid-request', { page: 'repeated' }],
    ['species=DOG&species=CAT', 400, 'invalid-request', { species: 'repeated' }],
    [
      'page=0&limit=abc&size=HUGE&x=1',
      400,
      'invalid-request',
      { page: 'too_small', limit: 'invalid_type', size: 'invalid_enum', x: 'unknown_parameter' },
    ],
  ] as const)('?%s is %i and lists every failing parameter', async (query, status, kind, faults) => {
    expectProblem(await list(`?${query}`), status, kind, faults);
  });
});
