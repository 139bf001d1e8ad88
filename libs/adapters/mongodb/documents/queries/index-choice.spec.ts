import { describe, expect, it } from '@jest/globals';
import type { Where } from '../../../../eventsourcing/ports/documents.port.js';
import { indexForCount, indexForFind } from './index-choice.js';

const collection = {
  indexes: [
    ['tenant', '-createdAt', '-key', 'species', 'size'],
    ['tenant', 'species', '-createdAt', '-key', 'size'],
    ['tenant', 'price', '-key', 'species', 'size'],
    ['species', 'price'],
  ],
};
const [NEWEST, NEWEST_OF_SPECIES, BY_PRICE, SPECIES_BY_PRICE] = [
  'by tenant -createdAt -key species size',
  'by tenant species -createdAt -key size',
  'by tenant price -key species size',
  'by species price -key',
];

describe('the index of a find', () => {
  it.each<[string, Where, readonly string[], string | undefined]>([
    ['has its order behind what is asked for by value', { tenant: 'a' }, ['-createdAt'], NEWEST],
    ['has the most such fields in front', { tenant: 'a', species: 'CAT', size: 'SMALL' }, ['-createdAt'], NEWEST_OF_SPECIES],
    ['is walked rather than merged from stretches', { tenant: 'a', species: { in: ['CAT', 'DOG'] } }, ['-createdAt'], NEWEST],
    ['takes a list of one for a value', { tenant: 'a', species: { in: ['CAT'] } }, ['-createdAt'], NEWEST_OF_SPECIES],
    ['is merged from stretches where no other has the order', { tenant: { in: ['a', 'b'] } }, ['-createdAt'], NEWEST],
    [
      'is none where too many stretches would be merged',
      { tenant: { in: Array.from({ length: 51 }, (_, at) => `${at}`) } },
      ['-createdAt'],
      undefined,
    ],
    ['is read forwards', { tenant: 'a', species: 'CAT' }, ['price'], BY_PRICE],
    ['is read backwards where the ties turn, too', { tenant: 'a' }, ['-price', 'key'], BY_PRICE],
    ['is none where the ties do not turn', { tenant: 'a' }, ['-price'], undefined],
    ['may be asked for a range of what it sorts by', { tenant: 'a', price: { from: 5 } }, ['price'], BY_PRICE],
    ['is none behind a range', { tenant: { from: 'a' } }, ['price'], undefined],
    ['sorts nothing that has one value only', { tenant: 'a', price: null, species: 'CAT' }, ['price'], BY_PRICE],
    ['carries all conditions where one does', { species: 'CAT', tenant: 'a', size: 'SMALL' }, ['price'], BY_PRICE],
    ['opens documents where none carries them', { species: 'CAT', size: 'SMALL' }, ['price'], SPECIES_BY_PRICE],
    ['is none for an order that is not declared', { tenant: 'a' }, ['size'], undefined],
  ])('%s', (_, where, sort, index) => expect(indexForFind(collection, { where, sort })).toBe(index));
});

describe('the index of a count', () => {
  it.each<[string, Where, string | undefined]>([
    ['has every condition', { tenant: 'a', size: 'SMALL' }, NEWEST],
    ['has the most values in front', { tenant: 'a', size: 'SMALL', species: 'CAT' }, NEWEST_OF_SPECIES],
    ['has a range behind the values', { tenant: 'a', price: { from: 3 }, size: 'SMALL' }, BY_PRICE],
    ['is none where no index has every condition', { tenant: 'a', createdAt: '2026', price: 3 }, undefined],
  ])('%s', (_, where, index) => expect(indexForCount(collection, where)).toBe(index));
});
