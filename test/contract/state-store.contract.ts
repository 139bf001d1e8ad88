import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StateStore, type StateEntry } from '../../libs/application/state/state-store.js';
import type { Collection, Documents } from '../../libs/eventsourcing/ports/documents.port.js';

/** Documents, and a function that closes them. */
type DocumentsUnderTest = { readonly documents: Documents; readonly close: () => Promise<void> };

export const PASSES: Collection = {
  name: 'passes',
  version: 1,
  fields: { owner: 'text', expiresAt: 'integer' },
  indexes: [['owner'], ['expiresAt']],
  cells: [],
};

type Pass = { readonly secret: string };

const pass = (key: string, owner = 'ann', expiresAt = 10): StateEntry<Pass> => ({
  key,
  value: { secret: key },
  fields: { owner, expiresAt },
});

/** The contract of the state that is not events, on every Documents adapter. */
export const stateStoreContract = (name: string, make: () => Promise<DocumentsUnderTest>): void => {
  /** Proves contract 23.9 and contract 30.3. */
  describe(`${name} with state that is not events`, () => {
    let documents: Documents;
    let close: () => Promise<void>;
    let store: StateStore<Pass>;
    beforeEach(async () => {
      ({ documents, close } = await make());
      await documents.prepare(PASSES);
      store = new StateStore(documents, PASSES);
    });
    afterEach(() => close());

    const keysOf = async (owner: string): Promise<readonly string[]> =>
      (await store.find({ owner }, { sort: ['key'], limit: 2_000, offset: 0 })).map(({ key }) => key);

    it('stores an entry under a free key, once', async () => {
      expect(await store.get('a')).toBeNull();
      expect(await store.put(pass('a'), 'none')).toBe(true);
      expect(await store.put({ ...pass('a'), value: { secret: 'other' } }, 'none')).toBe(false);
      expect(await store.get('a')).toEqual({ ...pass('a'), version: 1 });
    });

    it('replaces an entry only at the expected version', async () => {
      await store.put(pass('a'), 'none');
      expect(await store.put(pass('a', 'bob'), 1)).toBe(true);
      expect(await store.put(pass('a', 'eve'), 1)).toBe(false);
      expect(await store.get('a')).toEqual({ ...pass('a', 'bob'), version: 2 });
      expect([await keysOf('ann'), await keysOf('bob')]).toEqual([[], ['a']]);
    });

    it('does not restore a deleted entry', async () => {
      await store.put(pass('a'), 'none');
      await store.delete('a');
      await store.delete('a');
      expect(await store.put(pass('a'), 1)).toBe(false);
      expect(await store.get('a')).toBeNull();
    });

    it('lets one of many concurrent changes of a version win', async () => {
      await store.put(pass('a'), 'none');
      const owners = Array.from({ length: 20 }, (_, nth) => `owner-${nth}`);
      const won = await Promise.all(owners.map((owner) => store.put(pass('a', owner), 1)));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect((await store.get('a'))?.fields['owner']).toBe(owners[won.indexOf(true)]);
    });

    it('decides a change again after a conflict, so that no concurrent change is lost', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () =>
          store.change('a', (stored) => ({ value: { secret: `${stored?.value.secret ?? ''}x` }, fields: pass('a').fields })),
        ),
      );
      expect([new Set(outcomes), await store.get('a')]).toEqual([
        new Set(['changed']),
        { ...pass('a'), value: { secret: 'x'.repeat(20) }, version: 20 },
      ]);
    });

    it('stores nothing if a change decides so', async () => {
      expect(await store.change('a', () => null)).toBe('unchanged');
      expect(await store.get('a')).toBeNull();
    });

    it('finds and counts entries by an index, page by page', async () => {
      for (const entry of [pass('a', 'ann', 3), pass('b', 'ann', 1), pass('c', 'ann', 2), pass('d', 'bob', 1)])
        await store.put(entry, 'none');
      const page = { sort: ['expiresAt'], limit: 2 };
      expect((await store.find({ owner: 'ann' }, { ...page, offset: 0 })).map(({ key }) => key)).toEqual(['b', 'c']);
      expect((await store.find({ owner: 'ann' }, { ...page, offset: 2 })).map(({ key }) => key)).toEqual(['a']);
      expect(await store.count({ owner: 'ann' })).toBe(3);
    });

    it('deletes by an index: the expired entries, and those of one owner that are not kept', async () => {
      for (const entry of [pass('a', 'ann', 3), pass('b', 'ann', 5), pass('c', 'ann', 9), pass('d', 'bob', 3)])
        await store.put(entry, 'none');
      await store.deleteWhere({ expiresAt: { to: 3 } });
      expect([await keysOf('ann'), await keysOf('bob')]).toEqual([['b', 'c'], []]);
      await store.deleteWhere({ owner: 'ann' }, ({ fields }) => fields['expiresAt'] !== 9);
      expect(await keysOf('ann')).toEqual(['c']);
    });

    it('deletes more entries than one batch, and keeps the others', async () => {
      const entries = Array.from({ length: 1_201 }, (_, nth) => pass(`pass-${String(nth).padStart(4, '0')}`, 'ann', nth));
      await documents.apply(
        entries.map(({ value, ...entry }) => ({
          kind: 'put' as const,
          collection: PASSES,
          document: { ...entry, json: JSON.stringify(value), revision: 1 },
        })),
      );
      await store.deleteWhere({ owner: 'ann' }, ({ fields }) => Number(fields['expiresAt']) % 3 !== 0);
      expect(await keysOf('ann')).toEqual(entries.filter((_, nth) => nth % 3 === 0).map(({ key }) => key));
      await store.deleteWhere({ owner: 'ann' });
      expect(await keysOf('ann')).toEqual([]);
    });
  });
};
