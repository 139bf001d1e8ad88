import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { openShop, type Page, type Pet, type Shop } from './shop.js';

const PETS = [
  { name: 'Ada', species: 'DOG', ageMonths: 3, size: 'SMALL', goodWithKids: true, price: '9.00', medicalInfo: { vaccinated: true } },
  {
    name: 'Bo',
    species: 'DOG',
    ageMonths: 30,
    size: 'LARGE',
    goodWithKids: false,
    price: '100.00',
    medicalInfo: { vaccinated: false, spayedNeutered: true },
  },
  { name: 'Cleo', species: 'CAT', ageMonths: 12, size: 'SMALL', goodWithKids: true, price: undefined, medicalInfo: { specialNeeds: true } },
  { name: 'Dot', species: 'BIRD', ageMonths: 60, size: 'MEDIUM', price: '20.50', medicalInfo: { vaccinated: true, specialNeeds: false } },
  { name: 'Eve', species: 'RABBIT', ageMonths: 7, price: '1000000000.00' },
  { name: 'Gone', species: 'DOG', ageMonths: 5, status: 'ADOPTED', price: '1.00' },
] as const;

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
  for (const pet of PETS) await shop.listPet(pet);
});
afterAll(() => service.stop());

const search = (body: unknown) => shop.request<Page<Pet>>('QUERY', '/v1/pets', { body });
const namesOf = ({ data }: Page<Pet>) => data.map(({ name }) => name).join(' ');

/** Proves contract 7.1, contract 12.10, contract 12.11 and contract 12.12. Proves rows of contract 42.2, 42.9, 42.11 and 42.19. */
describe('a search for pets', () => {
  it('finds AVAILABLE pets, newest first, without criteria', async () => {
    const { status, json } = await search({});
    expect(status).toBe(200);
    expect(namesOf(json)).toBe('Eve Dot Cleo Bo Ada');
    expect(json.pagination).toEqual({ page: 1, limit: 20, totalItems: 5, totalPages: 1 });
    expect(Object.keys(json).toSorted()).toEqual(['data', 'pagination']);
  });

  it.each([
    ['a species', { species: ['DOG'] }, 'Bo Ada'],
    ['one of several species, in any case', { species: ['dog', 'Cat'] }, 'Cleo Bo Ada'],
    ['an empty list of species', { species: [] }, 'Eve Dot Cleo Bo Ada'],
    ['a minimum age', { ageRange: { min: 12 } }, 'Dot Cleo Bo'],
    ['a maximum age', { ageRange: { max: 12 } }, 'Eve Cleo Ada'],
    ['an age range', { ageRange: { min: 7, max: 30 } }, 'Eve Cleo Bo'],
    ['one of several sizes', { size: ['SMALL', 'medium'] }, 'Dot Cleo Ada'],
    ['good with children', { compatibility: { goodWithKids: true } }, 'Cleo Ada'],
    ['not good with children', { compatibility: { goodWithKids: false } }, 'Bo'],
    ['vaccinated', { medical: { vaccinated: true } }, 'Dot Ada'],
    ['not vaccinated', { medical: { vaccinated: false } }, 'Bo'],
    ['spayed or neutered', { medical: { spayedNeutered: true } }, 'Bo'],
    ['special needs', { medical: { specialNeeds: true } }, 'Cleo'],
    ['vaccinated and without special needs', { medical: { vaccinated: true, specialNeeds: false } }, 'Dot'],
    [
      'everything at once',
      { species: ['DOG'], ageRange: { max: 5 }, size: ['SMALL'], compatibility: { goodWithKids: true }, medical: { vaccinated: true } },
      'Ada',
    ],
    ['criteria that no pet meets', { species: ['REPTILE'], medical: { vaccinated: true } }, ''],
    ['empty criteria', { ageRange: {}, compatibility: {}, medical: {} }, 'Eve Dot Cleo Bo Ada'],
  ])('by %s finds the matching pets and counts them', async (_, criteria, names) => {
    const { json } = await search({ criteria });
    expect(namesOf(json)).toBe(names);
    expect(json.pagination.totalItems).toBe(names.split(' ').filter(Boolean).length);
  });

  it.each([
    ['ageMonths', 'ASC', 'Ada Eve Cleo Bo Dot'],
    ['ageMonths', 'DESC', 'Dot Bo Cleo Eve Ada'],
    ['price', 'ASC', 'Ada Dot Bo Eve Cleo'],
    ['price', 'DESC', 'Eve Bo Dot Ada Cleo'],
    ['PRICE', 'desc', 'Eve Bo Dot Ada Cleo'],
    ['price', undefined, 'Ada Dot Bo Eve Cleo'],
  ])('sorts by %s %s as numbers, with pets without a value last', async (field, order, names) => {
    expect(namesOf((await search({ sort: { field, order } })).json)).toBe(names);
  });

  it('has pages that show every pet once', async () => {
    const page = async (number: number) => (await search({ sort: { field: 'price' }, pagination: { page: number, limit: 2 } })).json;
    expect([namesOf(await page(1)), namesOf(await page(2)), namesOf(await page(3)), namesOf(await page(4))]).toEqual([
      'Ada Dot',
      'Bo Eve',
      'Cleo',
      '',
    ]);
    expect((await page(2)).pagination).toEqual({ page: 2, limit: 2, totalItems: 5, totalPages: 3 });
  });

  it.each([
    ['QUERY', '/v1/pets/search'],
    ['POST', '/v1/pets/search'],
  ])('can also be sent as %s %s', async (method, path) => {
    const body = { criteria: { species: ['DOG'] }, sort: { field: 'price', order: 'DESC' }, pagination: { limit: 1 } };
    const { status, text } = await shop.request(method, path, { body });
    expect(status).toBe(200);
    expect(text).toBe((await search(body)).text);
  });

  it('no longer finds ordered and deleted pets', async () => {
    const own = await openShop(service);
    const countVaccinated = async () =>
      (await own.request<Page<Pet>>('QUERY', '/v1/pets', { body: { criteria: { medical: { vaccinated: true } } } })).json.pagination
        .totalItems;
    const pet = await own.listPet({ medicalInfo: { vaccinated: true } });
    const other = await own.listPet({ medicalInfo: { vaccinated: true } });
    expect(await countVaccinated()).toBe(2);
    await own.placeOrder(pet.id);
    expect(await countVaccinated()).toBe(1);
    await own.requestAsStaff('DELETE', `/v1/pets/${other.id}`);
    expect(await countVaccinated()).toBe(0);
  });
});

/** Proves contract 4.3, contract 12.11 and contract 12.12. */
describe('an invalid search gets 400', () => {
  it.each([
    ['criteria of a wrong type', { criteria: [] }, { criteria: 'invalid_type' }],
    [
      'unknown properties, also nested',
      { x: 1, criteria: { status: 'ADOPTED', ageRange: { about: 3 } } },
      { x: 'unknown_property', 'criteria.status': 'unknown_property', 'criteria.ageRange.about': 'unknown_property' },
    ],
    [
      'unknown enum values and wrong types in lists',
      { criteria: { species: ['DOG', 'DRAGON', 5], size: 'SMALL' } },
      { 'criteria.species[1]': 'invalid_enum', 'criteria.species[2]': 'invalid_type', 'criteria.size': 'invalid_type' },
    ],
    [
      'a negative and a fractional age',
      { criteria: { ageRange: { min: -1, max: 1.5 } } },
      { 'criteria.ageRange.min': 'too_small', 'criteria.ageRange.max': 'invalid_type' },
    ],
    ['a minimum age above the maximum', { criteria: { ageRange: { min: 5, max: 4 } } }, { 'criteria.ageRange.min': 'too_big' }],
    [
      'booleans of a wrong type',
      { criteria: { compatibility: { goodWithKids: 'true' }, medical: { vaccinated: 1, specialNeeds: 'no' } } },
      {
        'criteria.compatibility.goodWithKids': 'invalid_type',
        'criteria.medical.vaccinated': 'invalid_type',
        'criteria.medical.specialNeeds': 'invalid_type',
      },
    ],
    [
      'a sort by an unknown field',
      { sort: { field: 'name', order: 'UP' } },
      { 'sort.field': 'invalid_enum', 'sort.order': 'invalid_enum' },
    ],
    ['a sort without a field', { sort: {} }, { 'sort.field': 'required' }],
    [
      'page and limit out of range',
      { pagination: { page: 0, limit: 101 } },
      { 'pagination.page': 'too_small', 'pagination.limit': 'too_big' },
    ],
    [
      'page and limit of a wrong type',
      { pagination: { page: '1', limit: 'abc' } },
      { 'pagination.page': 'invalid_type', 'pagination.limit': 'invalid_type' },
    ],
  ])('with %s', async (_, body, faults) => {
    for (const [method, path] of [
      ['QUERY', '/v1/pets'],
      ['POST', '/v1/pets/search'],
    ] as const)
      expectProblem(await shop.request(method, path, { body }), 400, 'invalid-request', faults);
  });

  it('with a body that is missing or not JSON', async () => {
    expectProblem(await shop.request('QUERY', '/v1/pets', { raw: '{"criteria":' }), 400, 'malformed-request');
    expectProblem(await shop.request('QUERY', '/v1/pets', { raw: '' }), 400, 'malformed-request');
  });

  it('except with another media type, for which it gets 415', async () => {
    expectProblem(
      await shop.request('QUERY', '/v1/pets', { raw: 'species=DOG', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      415,
      'unsupported-media-type',
    );
  });
});
