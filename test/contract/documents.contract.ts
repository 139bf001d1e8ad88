import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  Collection,
  Documents,
  DocumentWrite,
  Fields,
  DocumentQuery,
  Scalar,
  StoredDocument,
} from '../../libs/eventsourcing/ports/documents.port.js';

/** Read models, and a function that closes them. */
export type DocumentsUnderTest = { readonly documents: Documents; readonly close: () => Promise<void> };

const animals: Collection = {
  name: 'animals',
  version: 1,
  fields: { tenant: 'text', kind: 'text', age: 'integer', price: 'integer', name: 'text' },
  indexes: [['tenant', 'kind', '-age'], ['price']],
  cells: ['tenant', 'kind', 'age'],
};

const document = (key: string, fields: Fields, revision = 0, json = JSON.stringify({ key })): StoredDocument => ({
  key,
  json,
  revision,
  fields: { tenant: 'shared', kind: 'cat', age: null, price: null, name: null, ...fields },
});
const put = (key: string, fields: Fields = {}, collection = animals): DocumentWrite => ({
  kind: 'put',
  collection,
  document: document(key, fields),
});
const remove = (key: string): DocumentWrite => ({ kind: 'delete', collection: animals, key });
const increment = (cell: readonly Scalar[], by: number): DocumentWrite => ({ kind: 'increment', collection: animals, cell, by });
const all: DocumentQuery = { where: {}, sort: [], limit: 100, offset: 0 };

/** The contract of Documents. */
export const documentsContract = (name: string, make: () => Promise<DocumentsUnderTest>): void => {
  describe(`${name} as a document store`, () => {
    let documents: Documents;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ documents, close } = await make());
      await documents.prepare(animals);
    });
    afterEach(() => close());

    const keysOf = async (find: Partial<DocumentQuery>): Promise<readonly string[]> =>
      (await documents.find(animals, { ...all, ...find })).map(({ key }) => key);

    describe('documents', () => {
      it('are returned as stored, and as null before', async () => {
        expect(await documents.get(animals, 'a')).toBeNull();
        const put1 = document('a', { age: 3, name: 'Łatek „🐈”' }, 7, '{"odd":"é \\u0000 🐈"}');
        await documents.apply([{ kind: 'put', collection: animals, document: put1 }]);
        expect(await documents.get(animals, 'a')).toStrictEqual(put1);
      });

      it('are replaced completely', async () => {
        await documents.apply([put('a', { age: 3, name: 'Tom' })]);
        await documents.apply([{ kind: 'put', collection: animals, document: document('a', { kind: 'dog' }, 5, '{}') }]);
        expect(await documents.get(animals, 'a')).toStrictEqual(document('a', { kind: 'dog' }, 5, '{}'));
        expect(await documents.count(animals, {})).toBe(1);
      });

      it('have the result of the last of several writes', async () => {
        await documents.apply([put('a', { age: 1 }), put('a', { age: 2 }), put('b'), remove('b'), remove('c'), put('c', { age: 3 })]);
        expect((await documents.find(animals, all)).map(({ key, fields }) => [key, fields['age']])).toEqual([
          ['c', 3],
          ['a', 2],
        ]);
      });

      it('preserve every character of a text and of a key', async () => {
        await documents.apply([put('k\u0000é🐈$.', { name: 'n\u0000é🐈' })]);
        expect(await documents.get(animals, 'k\u0000é🐈$.')).toMatchObject({ fields: { name: 'n\u0000é🐈' } });
        expect(await keysOf({ where: { name: 'n\u0000é🐈' } })).toEqual(['k\u0000é🐈$.']);
      });

      it('are null after deletion; deleting an unknown key changes nothing', async () => {
        await documents.apply([put('a'), put('b')]);
        await documents.apply([remove('a'), remove('x')]);
        expect(await documents.get(animals, 'a')).toBeNull();
        expect(await keysOf({})).toEqual(['b']);
      });

      it('stay when their collection is prepared again', async () => {
        await documents.apply([put('a')]);
        await documents.prepare(animals);
        expect(await documents.count(animals, {})).toBe(1);
      });

      it('of two versions of a collection are separate', async () => {
        const next = { ...animals, version: 2 };
        await documents.prepare(next);
        await documents.apply([put('a'), put('b', {}, next)]);
        expect(await documents.get(animals, 'a')).not.toBeNull();
        expect(await documents.get(animals, 'b')).toBeNull();
      });
    });

    describe('finding', () => {
      beforeEach(() =>
        documents.apply([
          put('a', { kind: 'cat', age: 1, price: 300 }),
          put('b', { kind: 'cat', age: 5, price: 100 }),
          put('c', { kind: 'dog', age: 5, price: null }),
          put('d', { kind: 'dog', age: null, price: 200 }),
          put('e', { kind: 'bird', age: 9, price: 100, tenant: 'other' }),
        ]),
      );

      it.each<[string, DocumentQuery['where'], readonly string[]]>([
        ['everything without a condition', {}, ['e', 'd', 'c', 'b', 'a']],
        ['by equality', { kind: 'dog' }, ['d', 'c']],
        ['by null', { age: null }, ['d']],
        ['by one of several values', { kind: { in: ['dog', 'bird'] } }, ['e', 'd', 'c']],
        ['by one of several values or null', { age: { in: [1, null] } }, ['d', 'a']],
        ['nothing for an empty list', { kind: { in: [] } }, []],
        ['by an inclusive range', { age: { from: 1, to: 5 } }, ['c', 'b', 'a']],
        ['by a range without an end, excluding null', { age: { from: 5 } }, ['e', 'c', 'b']],
        ['by a range without a start, excluding null', { age: { to: 5 } }, ['c', 'b', 'a']],
        ['by all conditions together', { tenant: 'shared', kind: { in: ['cat', 'dog'] }, age: 5 }, ['c', 'b']],
        ['nothing for a value that looks like SQL', { kind: "dog' OR '1'='1" }, []],
      ])('finds %s', async (_, where, keys) => {
        expect(await keysOf({ where })).toEqual(keys);
        expect(await documents.count(animals, where)).toBe(keys.length);
      });

      it.each<[string, readonly string[], readonly string[]]>([
        ['ascending, nulls last, ties by descending key', ['price'], ['e', 'b', 'd', 'a', 'c']],
        ['descending, nulls last, ties by descending key', ['-price'], ['a', 'd', 'e', 'b', 'c']],
        ['ascending, ties by ascending key if named', ['price', 'key'], ['b', 'e', 'd', 'a', 'c']],
        ['descending, ties by ascending key if named', ['-price', 'key'], ['a', 'd', 'b', 'e', 'c']],
        ['by the key alone', ['key'], ['a', 'b', 'c', 'd', 'e']],
        ['by several fields', ['kind', '-age'], ['e', 'b', 'a', 'c', 'd']],
        ['by several fields, nulls of the second last', ['kind', 'price'], ['e', 'b', 'a', 'd', 'c']],
        ['by several fields, nulls of the first last', ['age', 'price'], ['a', 'b', 'c', 'e', 'd']],
        ['by several fields, the first descending, nulls last', ['-price', 'age'], ['a', 'd', 'b', 'e', 'c']],
      ])('sorts %s', async (_, sort, keys) => {
        expect(await keysOf({ sort })).toEqual(keys);
      });

      it('returns a page', async () => {
        expect(await keysOf({ sort: ['price'], limit: 2, offset: 1 })).toEqual(['b', 'd']);
        expect(await keysOf({ sort: ['price'], limit: 2, offset: 3 })).toEqual(['a', 'c']);
        expect(await keysOf({ sort: ['price'], limit: 2, offset: 4 })).toEqual(['c']);
        expect(await keysOf({ sort: ['price'], limit: 2, offset: 5 })).toEqual([]);
        expect(await keysOf({ sort: ['price'], limit: 0 })).toEqual([]);
        expect(await keysOf({ limit: 0 })).toEqual([]);
      });

      it('sorts matches ascending, with values and nulls', async () => {
        expect(await keysOf({ where: { price: { from: 100 } }, sort: ['price'] })).toEqual(['e', 'b', 'd', 'a']);
        expect(await keysOf({ where: { price: null }, sort: ['price'] })).toEqual(['c']);
        expect(await keysOf({ where: { price: { in: [300, null] } }, sort: ['price'] })).toEqual(['a', 'c']);
        expect(await keysOf({ where: { kind: { in: ['cat', 'dog'] } }, sort: ['price'] })).toEqual(['b', 'd', 'a', 'c']);
      });

      it('compares texts by code points, independent of language', async () => {
        const names = ['a', 'B', 'b', 'Ä', 'ä', 'z', ''];
        await documents.apply(names.map((name, index) => put(`n${index}`, { name, kind: 'named' })));
        const found = await documents.find(animals, { ...all, where: { kind: 'named' }, sort: ['name'] });
        expect(found.map(({ fields }) => fields['name'])).toEqual(['', 'B', 'a', 'b', 'z', 'Ä', 'ä']);
        expect(await documents.count(animals, { name: 'b' })).toBe(1);
      });

      it('sorts numbers as numbers', async () => {
        await documents.apply([put('f', { age: 10, kind: 'fish' }), put('g', { age: 9, kind: 'fish' })]);
        expect(await keysOf({ where: { kind: 'fish' }, sort: ['age'] })).toEqual(['g', 'f']);
      });

      it('returns the texts of matches, current after every write', async () => {
        const texts = (): Promise<readonly string[]> => documents.texts(animals, { ...all, where: { tenant: 'shared' }, sort: ['price'] });
        const found = async (): Promise<readonly string[]> =>
          (await documents.find(animals, { ...all, where: { tenant: 'shared' }, sort: ['price'] })).map(({ json }) => json);
        expect(await texts()).toEqual(await found());
        for (const write of [put('f', { price: 1 }), put('f', { price: 2, tenant: 'other' }), put('f', {}), remove('f'), remove('a')]) {
          await documents.apply([write]);
          expect(await texts()).toEqual(await found());
        }
        await documents.clear(animals);
        expect(await texts()).toEqual([]);
      });

      it('returns the current document after every write, also when it was just read', async () => {
        for (const age of [1, 2, 3]) {
          const { document: written } = put('f', { age }) as { document: StoredDocument };
          await documents.apply([put('f', { age })]);
          expect(await documents.get(animals, 'f')).toStrictEqual(written);
          const fault = put('f', { age: 99 });
          await expect(documents.apply([fault, { kind: 'increment', collection: animals, cell: [], by: 1 }])).rejects.toThrow();
          expect(await documents.get(animals, 'f')).toStrictEqual(written);
        }
        await documents.apply([remove('f')]);
        expect(await documents.get(animals, 'f')).toBeNull();
      });

      it('rejects an undeclared field', async () => {
        await expect(documents.find(animals, { ...all, where: { nonsense: 1 } })).rejects.toThrow('nonsense');
        await expect(documents.find(animals, { ...all, sort: ['-nonsense'] })).rejects.toThrow('nonsense');
        await expect(documents.find(animals, { ...all, sort: ['key', 'price'] })).rejects.toThrow('key');
      });
    });

    describe('counting', () => {
      it('keeps counts exact through every write', async () => {
        const counts = (): Promise<readonly number[]> =>
          Promise.all(
            [{}, { tenant: 'shared' }, { tenant: 'other' }, { kind: 'cat' }, { tenant: 'other', kind: 'cat' }].map((where) =>
              documents.count(animals, where),
            ),
          );
        expect(await counts()).toEqual([0, 0, 0, 0, 0]);
        await documents.apply([put('a'), put('b', { tenant: 'other' })]);
        expect(await counts()).toEqual([2, 1, 1, 2, 1]);
        await documents.apply([put('a', { tenant: 'other' })]);
        expect(await counts()).toEqual([2, 0, 2, 2, 2]);
        await documents.apply([put('b', { tenant: 'other', kind: 'dog' })]);
        expect(await counts()).toEqual([2, 0, 2, 1, 1]);
        await documents.apply([remove('a')]);
        expect(await counts()).toEqual([1, 0, 1, 0, 0]);
        await documents.clear(animals);
        expect(await counts()).toEqual([0, 0, 0, 0, 0]);
      });

      it('sums cells', async () => {
        await documents.apply([
          increment(['shared', 'cat', 1], 2),
          increment(['shared', 'cat', 5], 3),
          increment(['shared', 'dog', 1], 1),
          increment(['other', 'cat', 1], 7),
        ]);
        await documents.apply([increment(['shared', 'cat', 1], 1)]);
        expect(await documents.sum(animals, {})).toEqual({ '': 14 });
        expect(await documents.sum(animals, { tenant: 'shared' })).toEqual({ '': 7 });
        expect(await documents.sum(animals, { tenant: 'nobody' })).toEqual({ '': 0 });
        expect(await documents.sum(animals, { tenant: 'shared' }, 'kind')).toEqual({ cat: 6, dog: 1 });
        expect(await documents.sum(animals, { kind: { in: ['cat'] } }, 'age')).toEqual({ 1: 10, 5: 3 });
        expect(await documents.sum(animals, { tenant: 'shared', age: { from: 2 } })).toEqual({ '': 3 });
        expect(await documents.sum(animals, { tenant: 'shared', age: { to: 2 } })).toEqual({ '': 4 });
      });

      it('counts nulls in one cell', async () => {
        await documents.apply([increment(['shared', 'cat', null], 1), increment(['shared', 'cat', 3], 1)]);
        await documents.apply([increment(['shared', 'cat', null], 1)]);
        expect(await documents.sum(animals, {}, 'age')).toEqual({ null: 2, 3: 1 });
        expect(await documents.sum(animals, { age: null })).toEqual({ '': 2 });
        expect(await documents.sum(animals, { age: { in: [3, null] } })).toEqual({ '': 3 });
        expect(await documents.sum(animals, { age: { from: 0 } })).toEqual({ '': 1 });
        expect(await documents.sum(animals, { age: { to: 9 } })).toEqual({ '': 1 });
      });

      it('subtracts, and returns no group with a zero total', async () => {
        await documents.apply([increment(['shared', 'cat', 1], 2)]);
        expect(await documents.sum(animals, { tenant: 'shared' })).toEqual({ '': 2 });
        await documents.apply([increment(['shared', 'cat', 1], -2), increment(['shared', 'dog', 1], 1)]);
        expect(await documents.sum(animals, { tenant: 'shared' }, 'kind')).toEqual({ dog: 1 });
        await documents.apply([increment(['shared', 'cat', 1], 1)]);
        expect(await documents.sum(animals, { tenant: 'shared' }, 'kind')).toEqual({ cat: 1, dog: 1 });
      });

      it('separates tenants', async () => {
        await documents.apply([increment(['a', 'cat', 1], 1), increment(['b', 'cat', 1], 10)]);
        const sums = (): Promise<unknown> => Promise.all(['a', 'b'].map((tenant) => documents.sum(animals, { tenant })));
        expect(await sums()).toEqual([{ '': 1 }, { '': 10 }]);
        await documents.apply([increment(['b', 'cat', 1], 5)]);
        expect(await sums()).toEqual([{ '': 1 }, { '': 15 }]);
        expect(await documents.sum(animals, {}, 'tenant')).toEqual({ a: 1, b: 15 });
      });
    });

    describe('applying', () => {
      it('is atomic', async () => {
        const impossible = { ...put('b'), document: { ...document('b', {}), json: null as unknown as string } } as DocumentWrite;
        await expect(
          documents.apply([put('a'), increment(['shared', 'cat', 1], 1), impossible], { name: 'reader', position: 5 }),
        ).rejects.toThrow();
        expect(await documents.get(animals, 'a')).toBeNull();
        expect(await documents.sum(animals, {})).toEqual({ '': 0 });
        expect(await documents.checkpoint('reader')).toBe(0);
      });

      it('checks the expected revision of a document', async () => {
        const at = (revision: number, expected: number | 'none', name: string): DocumentWrite => ({
          kind: 'put',
          collection: animals,
          document: document('a', { name }, revision),
          expected,
        });
        const name = async (): Promise<Scalar | undefined> => (await documents.get(animals, 'a'))?.fields['name'];
        expect(await documents.apply([at(1, 0, 'too early')])).toBe(false);
        expect(await name()).toBeUndefined();
        expect(await documents.apply([at(0, 'none', 'first')])).toBe(true);
        expect(await documents.apply([at(0, 'none', 'another first'), put('b')])).toBe(false);
        expect(await documents.apply([at(1, 0, 'second')])).toBe(true);
        expect(await documents.apply([put('b'), at(1, 0, 'another second')], { name: 'reader', position: 1 })).toBe(false);
        expect([await name(), await documents.get(animals, 'b'), await documents.checkpoint('reader')]).toEqual(['second', null, 0]);
      });

      it('lets one of several concurrent writes with the same expectation succeed', async () => {
        const writes = Array.from(
          { length: 8 },
          (_, index): DocumentWrite => ({ ...put('a', { age: index }), expected: 'none' }) as DocumentWrite,
        );
        const done = await Promise.all(writes.map((write) => documents.apply([write])));
        expect(done.filter(Boolean)).toHaveLength(1);
      });

      it('moves the checkpoint together with the writes', async () => {
        expect(await documents.checkpoint('reader')).toBe(0);
        expect(await documents.apply([put('a')], { name: 'reader', position: 5 })).toBe(true);
        expect(await documents.checkpoint('reader')).toBe(5);
        expect(await documents.apply([], { name: 'reader', position: 9 })).toBe(true);
        expect(await documents.checkpoint('reader')).toBe(9);
        expect(await documents.checkpoint('another')).toBe(0);
      });

      it('applies a repeated position once', async () => {
        const twice = [put('a'), increment(['shared', 'cat', 1], 1)];
        await documents.apply(twice, { name: 'reader', position: 5 });
        expect(await documents.apply(twice, { name: 'reader', position: 5 })).toBe(false);
        expect(await documents.apply([remove('a'), increment(['shared', 'cat', 1], 1)], { name: 'reader', position: 4 })).toBe(false);
        expect(await documents.sum(animals, {})).toEqual({ '': 1 });
        expect(await documents.get(animals, 'a')).not.toBeNull();
      });

      it('applies each of several concurrent positions once', async () => {
        const positions = [1, 2, 3, 4, 5];
        const outcomes = await Promise.all(
          positions.map((position) => documents.apply([put('a'), increment(['shared', 'cat', 1], 1)], { name: 'reader', position })),
        );
        expect(await documents.checkpoint('reader')).toBe(5);
        expect(await documents.sum(animals, {})).toEqual({ '': outcomes.filter(Boolean).length });
      });

      it('clears documents, cells and checkpoint for a rebuild', async () => {
        const checkpoint = { name: 'animals_v1', position: 5 };
        await documents.apply([put('a'), increment(['shared', 'cat', 1], 1)], checkpoint);
        await documents.clear(animals);
        expect(await documents.count(animals, {})).toBe(0);
        expect(await documents.sum(animals, {})).toEqual({ '': 0 });
        expect(await documents.apply([put('b')], checkpoint)).toBe(true);
      });
    });

    describe('uses of a document', () => {
      const tickets: Collection = {
        name: 'tickets',
        version: 1,
        fields: { holder: 'text', uses: 'integer', firstUsedAt: 'integer' },
        indexes: [['holder']],
        cells: [],
      };
      const ticket = { key: 'a', json: '{"seat":1}', revision: 4, fields: { holder: 'ann' } };
      const LIMIT = { times: 3, milliseconds: 60_000 };
      beforeEach(() => documents.prepare(tickets));

      it('are counted up to the limit; the first one stores the document', async () => {
        const counts = [];
        for (let call = 0; call < 5; call++) counts.push(await documents.use(tickets, ticket, LIMIT));
        expect(counts).toEqual([1, 2, 3, null, null]);
        expect(await documents.get(tickets, 'a')).toEqual({
          ...ticket,
          revision: 7,
          fields: { holder: 'ann', uses: 3, firstUsedAt: expect.any(Number) },
        });
      });

      it('are counted once each if they are concurrent, and never beyond the limit', async () => {
        const counts = await Promise.all(Array.from({ length: 12 }, () => documents.use(tickets, ticket, { ...LIMIT, times: 5 })));
        expect(counts.filter((count) => count !== null).toSorted()).toEqual([1, 2, 3, 4, 5]);
      });

      it('keep the stored document, and its time of the first use', async () => {
        await documents.apply([{ kind: 'put', collection: tickets, document: { ...ticket, fields: { ...ticket.fields, uses: null } } }]);
        await documents.use(tickets, { ...ticket, json: '{}', revision: 0, fields: { holder: 'bob' } }, LIMIT);
        const first = await documents.get(tickets, 'a');
        await documents.use(tickets, ticket, LIMIT);
        const second = await documents.get(tickets, 'a');
        expect([first?.json, first?.revision, first?.fields['holder'], first?.fields['uses']]).toEqual(['{"seat":1}', 5, 'ann', 1]);
        expect(second?.fields).toEqual({ ...first?.fields, uses: 2 });
      });

      it('are refused from the end of the time on, by the clock of the database', async () => {
        await documents.use(tickets, ticket, LIMIT);
        const stored = await documents.get(tickets, 'a');
        if (!stored) throw new Error('nothing is stored');
        // The first use was five seconds earlier.
        const firstUsedAt = Number(stored.fields['firstUsedAt']) - 5_000;
        await documents.apply([{ kind: 'put', collection: tickets, document: { ...stored, fields: { ...stored.fields, firstUsedAt } } }]);
        expect(await documents.use(tickets, ticket, { ...LIMIT, milliseconds: 5_000 })).toBeNull();
        expect(await documents.use(tickets, ticket, LIMIT)).toBe(2);
      });

      it('make a write fail that expects the former revision', async () => {
        await documents.use(tickets, ticket, LIMIT);
        const stored = await documents.get(tickets, 'a');
        if (!stored) throw new Error('nothing is stored');
        await documents.use(tickets, ticket, LIMIT);
        const write = { kind: 'put', collection: tickets, document: { ...stored, revision: 9 }, expected: stored.revision } as const;
        expect(await documents.apply([write])).toBe(false);
      });
    });
  });
};
