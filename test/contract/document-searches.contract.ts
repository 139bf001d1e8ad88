import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkpointOf, type Documents, type DocumentWrite, type Fields } from '../../libs/eventsourcing/ports/documents.port.js';
import { cups, fieldsArb, keyArb, naive, putCup, queryArb, type Row } from '../../libs/search/facets.fixtures.js';
import type { DocumentsUnderTest } from './documents.contract.js';

const ROWS = 300;
const CHANGES = 40;
const QUERIES_AFTER_A_CHANGE = 15;

/** The contract of Documents for a collection that is searched by many criteria. */
export const documentSearchesContract = (name: string, make: () => Promise<DocumentsUnderTest>): void => {
  describe(`${name} as a store that is searched by many criteria`, () => {
    let documents: Documents;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ documents, close } = await make());
      await documents.prepare(cups);
    });
    afterEach(() => close());

    const rows = new Map<string, Row>();
    let position = 0;
    // On several machines, searches follow the checkpoint of the collection.
    const apply = (...writes: readonly DocumentWrite[]): Promise<boolean> =>
      documents.apply(writes, { name: checkpointOf(cups), position: ++position });
    const putAll = async (added: readonly Row[]): Promise<void> => {
      for (const row of added) rows.set(row.key, row);
      await apply(...added.map(putCup));
    };
    const sample = <T>(arb: fc.Arbitrary<T>, count: number, seed: number): T[] => fc.sample(arb, { seed, numRuns: count });
    const sampleRows = (count: number, seed: number): Row[] => {
      const fields: readonly Fields[] = sample(fieldsArb, count, seed);
      return sample(keyArb, count, seed).map((key, number) => ({ key, fields: fields[number] ?? {} }));
    };

    it('answers as a filter over all documents does, and shows each write at once', async () => {
      rows.clear();
      await putAll(sampleRows(ROWS, 1));
      for (let change = 0; change < CHANGES; change++) {
        const [key = ''] = [...rows.keys()].slice(change * 3);
        if (change % 4 === 3) {
          rows.delete(key);
          await apply({ kind: 'delete', collection: cups, key });
        } else if (change % 4 === 2) {
          const [changed] = sampleRows(1, change + 100);
          await putAll([{ key, fields: changed?.fields ?? {} }]);
        } else await putAll(sampleRows(2, change + 200));
        for (const query of sample(queryArb, QUERIES_AFTER_A_CHANGE, change)) {
          const expected = naive(rows.values(), query);
          const found = await documents.find(cups, query);
          const keysIn = (texts: readonly string[]): readonly string[] => texts.map((text) => (JSON.parse(text) as { key: string }).key);
          const count = await documents.count(cups, query.where);
          const texts = await documents.texts(cups, query);
          // On several machines, the index may be late.
          const page = (await documents.page(cups, query)) ?? { total: count, texts };
          expect({
            count,
            keys: found.map((document) => document.key),
            texts: keysIn(texts),
            page: { total: page.total, keys: keysIn(page.texts) },
          }).toEqual({ ...expected, texts: expected.keys, page: { total: expected.count, keys: expected.keys } });
        }
      }
    });

    it('shows no document after the collection was cleared, and shows later ones', async () => {
      const here = sampleRows(2, 5).map(({ key, fields }): Row => ({ key, fields: { ...fields, tenant: 'here' } }));
      const [first, later] = here as [Row, Row];
      await apply(putCup(first));
      expect(await documents.count(cups, { tenant: 'here' })).toBe(1);
      await documents.clear(cups);
      expect(await documents.count(cups, { tenant: 'here' })).toBe(0);
      await apply(putCup(later));
      const query = { where: { tenant: 'here' }, sort: ['price'], limit: 5, offset: 0 };
      expect((await documents.find(cups, query)).map(({ key }) => key)).toEqual([later.key]);
    });
  });
};
