import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStore, type TestStore } from '../servers/store.js';
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

let store: TestStore;
let shop: Shop;
beforeAll(async () => {
  store = await startStore();
  shop = await openShop(store);
  for (const pet of PETS) await shop.listPet(pet);
});
afterAll(() => store.stop());

const search = (body: unknown) => shop.ask<Page<Pet>>('QUERY', '/v1/pets', { body });
const namesOf = ({ data }: Page<Pet>) => data.map(({ name }) => name).join(' ');

describe('a search for pets', () => {
  it('finds what is AVAILABLE, newest first, when nothing is asked', async () => {
    const { status, json } = await search({});
    expect(status).toBe(200);
    expect(namesOf(json)).toBe('Eve Dot Cleo Bo Ada');
    expect(json.pagination).toEqual({ page: 1, limit: 20, totalItems: 5, totalPages: 1 });
    expect(Object.keys(json).toSorted()).toEqual(['data', 'pagination']);
  });

  it.each([
    ['a species', { species: ['DOG'] }, 'Bo Ada'],
    ['one of several species, in any case', { species: ['dog', 'Cat'] }, 'Cleo Bo Ada'],
    ['no species in particular', { species: [] }, 'Eve Dot Cleo Bo Ada'],
    ['an age from', { ageRange: { min: 12 } }, 'Dot Cleo Bo'],
    ['an age up to', { ageRange: { max: 12 } }, 'Eve Cleo Ada'],
    ['an age between', { ageRange: { min: 7, max: 30 } }, 'Eve Cleo Bo'],
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
    ['what nobody is', { species: ['REPTILE'], medical: { vaccinated: true } }, ''],
    ['criteria that say nothing', { ageRange: {}, compatibility: {}, medical: {} }, 'Eve Dot Cleo Bo Ada'],
  ])('by %s finds the right ones and counts them', async (_, criteria, names) => {
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
  ])('sorts by %s %s as numbers, and puts what has none last', async (field, order, names) => {
    expect(namesOf((await search({ sort: { field, order } })).json)).toBe(names);
  });

  it('comes in pages', async () => {
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
  ])('may also be sent as %s %s', async (method, path) => {
    const body = { criteria: { species: ['DOG'] }, sort: { field: 'price', order: 'DESC' }, pagination: { limit: 1 } };
    const { status, text } = await shop.ask(method, path, { body });
    expect(status).toBe(200);
    expect(text).toBe((await search(body)).text);
  });

  it('changes with what is sold and retired', async () => {
    const own = await openShop(store);
    const dogs = async () =>
      (await own.ask<Page<Pet>>('QUERY', '/v1/pets', { body: { criteria: { medical: { vaccinated: true } } } })).json.pagination.totalItems;
    const pet = await own.listPet({ medicalInfo: { vaccinated: true } });
    const other = await own.listPet({ medicalInfo: { vaccinated: true } });
    expect(await dogs()).toBe(2);
    await own.placeOrder(pet.id);
    expect(await dogs()).toBe(1);
    await own.askAsStaff('DELETE', `/v1/pets/${other.id}`);
    expect(await dogs()).toBe(0);
  });
});

describe('a search that breaks the rules is 400, as the operation lists', () => {
  it.each([
    ['criteria of a wrong kind', { criteria: [] }, { criteria: 'invalid_type' }],
    [
      'unknown members anywhere',
      { x: 1, criteria: { status: 'ADOPTED', ageRange: { about: 3 } } },
      { x: 'unknown_property', 'criteria.status': 'unknown_property', 'criteria.ageRange.about': 'unknown_property' },
    ],
    [
      'enum typos and wrong types in lists',
      { criteria: { species: ['DOG', 'DRAGON', 5], size: 'SMALL' } },
      { 'criteria.species[1]': 'invalid_enum', 'criteria.species[2]': 'invalid_type', 'criteria.size': 'invalid_type' },
    ],
    [
      'ages below nothing',
      { criteria: { ageRange: { min: -1, max: 1.5 } } },
      { 'criteria.ageRange.min': 'too_small', 'criteria.ageRange.max': 'invalid_type' },
    ],
    ['a range that ends before it begins', { criteria: { ageRange: { min: 5, max: 4 } } }, { 'criteria.ageRange.min': 'too_big' }],
    [
      'flags that are none',
      { criteria: { compatibility: { goodWithKids: 'true' }, medical: { vaccinated: 1, specialNeeds: null } } },
      {
        'criteria.compatibility.goodWithKids': 'invalid_type',
        'criteria.medical.vaccinated': 'invalid_type',
        'criteria.medical.specialNeeds': 'invalid_type',
      },
    ],
    ['a sort by something else', { sort: { field: 'name', order: 'UP' } }, { 'sort.field': 'invalid_enum', 'sort.order': 'invalid_enum' }],
    ['a sort by nothing', { sort: {} }, { 'sort.field': 'required' }],
    ['pages out of bounds', { pagination: { page: 0, limit: 101 } }, { 'pagination.page': 'too_small', 'pagination.limit': 'too_big' }],
    [
      'pages that are no numbers',
      { pagination: { page: '1', limit: 'abc' } },
      { 'pagination.page': 'invalid_type', 'pagination.limit': 'invalid_type' },
    ],
  ])('for %s', async (_, body, faults) => {
    for (const [method, path] of [
      ['QUERY', '/v1/pets'],
      ['POST', '/v1/pets/search'],
    ] as const)
      expectProblem(await shop.ask(method, path, { body }), 400, 'invalid-request', faults);
  });

  it('for a body that is missing or no JSON', async () => {
    expectProblem(await shop.ask('QUERY', '/v1/pets', { raw: '{"criteria":' }), 400, 'malformed-request');
    expectProblem(await shop.ask('QUERY', '/v1/pets', { raw: '' }), 400, 'malformed-request');
  });

  it('but for another media type it is 415', async () => {
    expectProblem(
      await shop.ask('QUERY', '/v1/pets', { raw: 'species=DOG', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      415,
      'unsupported-media-type',
    );
  });
});
