import type { Order } from '../words/concept.js';
import { describe, expect, it } from '@jest/globals';
import type { CataloguePet } from '../catalogue.js';
import { catalogueOf, pet, sampleCatalogue } from '../catalogue.fixtures.js';
import { NO_PREFERENCES, type Preferences } from '../preferences/preferences.js';
import { mainCurrency, priceFit } from './money.js';
import { PAGE, searchPets } from './search.js';

const search = async (preferences: Partial<Preferences>, catalogue = sampleCatalogue()) => {
  const { fits, uncompared, near } = await searchPets(catalogue, { ...NO_PREFERENCES, ...preferences }, { limit: 3, isCounting: false });
  const names = (pets: readonly CataloguePet[]): readonly string[] => pets.map(({ name }) => name);
  return { fits: names(fits), uncompared: names(uncompared), near: names(near.map(({ pet: one }) => one)) };
};

describe('a search (contract 40.3)', () => {
  it('finds only available pets that meet all preferences', async () => {
    expect(await search({ species: ['CAT'], sizes: ['LARGE'], children: true })).toEqual({ fits: ['Simba'], uncompared: [], near: [] });
    expect((await search({ species: ['DOG'], refused: ['id-rex'], colors: ['black'] })).fits).toEqual([]);
  });

  it('shows the closest pets if no pet fits, but never ignores species, children or refused pets', async () => {
    const { fits, near } = await search({
      species: ['DOG'],
      sizes: ['LARGE'],
      budget: { max: '100.00' },
      children: true,
      refused: ['id-toby'],
    });
    expect(fits).toEqual([]);
    expect(near[0]).toBe('Rocky');
    for (const name of ['Bruno', 'Toby', 'Luna', 'Daisy']) expect(near).not.toContain(name);
  });

  it('orders pets by price only in the currency that most pets have', async () => {
    const { fits, uncompared } = await search({ species: ['CAT'], order: 'cheapest' });
    expect(fits).toEqual(['Oscar', 'Cleo', 'Luna', 'Simba']);
    expect(uncompared).toEqual(['Amélie']);
  });

  it.each<[Order, string]>([
    ['cheapest', 'Nibbles'],
    ['dearest', 'Einstein'],
    ['youngest', 'Nibbles'],
    ['oldest', 'Oscar'],
    ['newest', 'Rex'],
    ['longest', 'Nibbles'],
    ['smallest', 'Toby'],
    ['largest', 'Rex'],
  ])('finds the %s pet of the whole catalogue', async (order, name) => {
    expect((await search({ order })).fits[0]).toBe(name);
  });

  it('finds a colour in its other spelling', async () => {
    const catalogue = catalogueOf([pet('Smoke', { species: 'CAT', color: 'dark gray' }), pet('Ash', { species: 'CAT', color: 'black' })]);
    expect((await search({ species: ['CAT'], colors: ['grey'] }, catalogue)).fits).toEqual(['Smoke']);
  });

  it('drops a pet that is not available, even if the catalogue returns it', async () => {
    const careless = { ...catalogueOf([]), available: async () => ({ pets: [pet('Gone', { status: 'ADOPTED' })], total: 1 }) };
    expect(await search({}, careless)).toEqual({ fits: [], uncompared: [], near: [] });
  });

  it('shows a pet once that moves to a later page while it reads', async () => {
    const first = Array.from({ length: PAGE }, (_, nth) => pet(`Pet ${nth}`, { color: 'red' }));
    const moving = {
      ...catalogueOf([]),
      available: async (_: unknown, __: number, page = 1) => ({ pets: page === 1 ? first : first.slice(-1), total: PAGE + 1 }),
    };
    const { count } = await searchPets(moving, { ...NO_PREFERENCES, colors: ['red'] }, { limit: 3, isCounting: true });
    expect(count).toBe(PAGE);
  });

  it('lets the catalogue count, if its criteria are all that is wanted (contract 40.9)', async () => {
    const many = catalogueOf(Array.from({ length: 4 * PAGE }, (_, nth) => pet(`Pet ${nth}`)));
    let reads = 0;
    const counted = { ...many, available: (...request: Parameters<typeof many.available>) => (reads++, many.available(...request)) };
    const { count } = await searchPets(counted, { ...NO_PREFERENCES, species: ['DOG'] }, { limit: 3, isCounting: true });
    expect({ count, reads }).toEqual({ count: 4 * PAGE, reads: 2 });
  });
});

describe('a price (contract 40.4)', () => {
  it.each([
    [{ price: '100.00', currency: 'USD' }, { max: '100.00' }, 'fits'],
    [{ price: '100.01', currency: 'USD' }, { max: '100.00', currency: 'USD' }, 'too much'],
    [{ price: '9.00', currency: 'USD' }, { max: '10.00' }, 'fits'],
    [{ price: '50.00', currency: 'USD' }, { min: '60.00', max: '100.00' }, 'too little'],
    [{ price: '1.00', currency: 'EUR' }, { max: '100.00' }, 'other currency'],
    [{ price: undefined, currency: undefined }, { max: '100.00' }, 'no price'],
    [{ price: '9999999999.99', currency: 'USD' }, { max: '9999999999.98' }, 'too much'],
    [{ price: '1.00', currency: 'EUR' }, {}, 'fits'],
  ])('%j for the budget %j: %s', (price, budget, fit) => expect(priceFit(pet('Rex', price), budget)).toBe(fit));

  it('is compared in the currency of most pets, or in USD if there are no pets', () => {
    expect(mainCurrency([pet('a', { currency: 'EUR' }), pet('b', { currency: 'EUR' }), pet('c')])).toBe('EUR');
    expect(mainCurrency([])).toBe('USD');
  });
});
