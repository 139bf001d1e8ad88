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
    ['has the sort order after the fields with a single value', { tenant: 'a' }, ['-createdAt'], NEWEST],
    ['has the most leading fields with a single value', { tenant: 'a', species: 'CAT', size: 'SMALL' }, ['-createdAt'], NEWEST_OF_SPECIES],
    ['is scanned in order rather than merged from ranges', { tenant: 'a', species: { in: ['CAT', 'DOG'] } }, ['-createdAt'], NEWEST],
    ['treats a list of one as a single value', { tenant: 'a', species: { in: ['CAT'] } }, ['-createdAt'], NEWEST_OF_SPECIES],
    ['is merged from ranges if no other index has the order', { tenant: { in: ['a', 'b'] } }, ['-createdAt'], NEWEST],
    [
      'is undefined if too many ranges would be merged',
      { tenant: { in: Array.from({ length: 51 }, (_, at) => `${at}`) } },
      ['-createdAt'],
      undefined,
    ],
    ['is read forwards', { tenant: 'a', species: 'CAT' }, ['price'], BY_PRICE],
    ['is read backwards if the sort reverses the field and the key', { tenant: 'a' }, ['-price', 'key'], BY_PRICE],
    ['is undefined if the sort reverses the field but not the key', { tenant: 'a' }, ['-price'], undefined],
    ['supports a range of the sort field', { tenant: 'a', price: { from: 5 } }, ['price'], BY_PRICE],
    ['is undefined for a sort after a range', { tenant: { from: 'a' } }, ['price'], undefined],
    ['ignores a sort field with a single value', { tenant: 'a', price: null, species: 'CAT' }, ['price'], BY_PRICE],
    ['contains all fields of the conditions if such an index exists', { species: 'CAT', tenant: 'a', size: 'SMALL' }, ['price'], BY_PRICE],
    ['may lack fields of the conditions if no index contains them all', { species: 'CAT', size: 'SMALL' }, ['price'], SPECIES_BY_PRICE],
    ['is undefined for an undeclared order', { tenant: 'a' }, ['size'], undefined],
  ])('%s', (_, where, sort, index) => expect(indexForFind(collection, { where, sort })).toBe(index));
});

describe('the index of a count', () => {
  it.each<[string, Where, string | undefined]>([
    ['has every condition', { tenant: 'a', size: 'SMALL' }, NEWEST],
    ['has the most leading fields with a single value', { tenant: 'a', size: 'SMALL', species: 'CAT' }, NEWEST_OF_SPECIES],
    ['has a range after the single values', { tenant: 'a', price: { from: 3 }, size: 'SMALL' }, BY_PRICE],
    ['is undefined if no index has every condition', { tenant: 'a', createdAt: '2026', price: 3 }, undefined],
  ])('%s', (_, where, index) => expect(indexForCount(collection, where)).toBe(index));
});
