import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DocumentQuery } from '../eventsourcing/ports/documents.port.js';
import { FacetIndex } from './facet-index.js';
import { FACETS, fieldsArb, keyArb, naive, queryArb, type Row } from './facets.fixtures.js';

const indexOf = (rows: readonly Row[]): FacetIndex => {
  const index = new FacetIndex(FACETS);
  for (const { key, fields } of rows) index.append(key, fields);
  index.sort();
  return index;
};

const answerOf = (index: FacetIndex, query: DocumentQuery) => ({ count: index.count(query.where), keys: index.keys(query) });

describe('an index by facets', () => {
  it('answers as a filter over all rows does, after any puts and removals', () => {
    const changeArb = fc.record({ key: keyArb, again: fc.nat(), fields: fc.option(fieldsArb, { freq: 3 }) });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ key: keyArb, fields: fieldsArb }), { selector: ({ key }) => key, maxLength: 60 }),
        fc.array(changeArb, { maxLength: 60 }),
        fc.array(queryArb, { minLength: 20, maxLength: 20 }),
        (loaded, changes, queries) => {
          const rows = new Map(loaded.map((row) => [row.key, row]));
          const index = indexOf(loaded);
          for (const { key: fresh, again, fields } of changes) {
            const key = again % 2 === 0 ? fresh : ([...rows.keys()][again % (rows.size + 1)] ?? fresh);
            if (fields) rows.set(key, { key, fields });
            else rows.delete(key);
            if (fields) index.put(key, fields);
            else index.remove(key);
          }
          for (const query of queries) expect(answerOf(index, query)).toEqual(naive(rows.values(), query));
        },
      ),
      { numRuns: 500, seed: 34 },
    );
  });

  it('finds pages far behind the first, in every order', () => {
    const random = fc.sample(fieldsArb, { seed: 7, numRuns: 8_000 });
    const keys = fc.sample(keyArb, { seed: 7, numRuns: 8_000 });
    const rows = random.map((fields, number) => ({ key: keys[number], fields: { ...fields, tenant: 'here' } }));
    const index = indexOf(rows);
    for (const sort of [['-createdAt'], ['createdAt', 'key'], ['price'], ['-price', 'key'], ['age'], ['-age', 'key']])
      for (const offset of [1_500, 4_000, 7_990])
        for (const where of [{ tenant: 'here' }, { tenant: 'here', status: 'PENDING' }, { tenant: 'here', age: { from: 1 } }]) {
          const query = { where, sort, limit: 20, offset };
          expect(answerOf(index, query)).toEqual(naive(rows, query));
        }
  });

  it('rejects keys that are not UUIDs, and queries that it cannot answer', () => {
    const index = new FacetIndex(FACETS);
    expect(() => index.put('cup-1', { tenant: 'here' })).toThrow('not a UUID');
    expect(() => index.count({ status: 'AVAILABLE' })).toThrow('cannot answer');
    expect(() => index.count({ tenant: 'here', colour: 'red' })).toThrow('cannot answer');
    expect(() => index.keys({ where: { tenant: 'here' }, sort: ['colour'], limit: 1, offset: 0 })).toThrow('no order');
  });
});
