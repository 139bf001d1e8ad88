import { describe, expect, it } from '@jest/globals';
import type { DocumentRecord } from '../documents/declaration.js';
import { CachedDocuments } from './cached-documents.js';

const document = (key: string, revision = 0): DocumentRecord => ({ _id: key, json: `"${key}${revision}"`, revision, f: {} });

/** A database whose documents have the current revision when they are read. */
const database = () => {
  const asked: string[][] = [];
  const state = { revision: 0, during: (): void => undefined };
  const read = async (keys: readonly string[]): Promise<readonly DocumentRecord[]> => {
    asked.push([...keys]);
    const found = keys.filter((key) => key !== 'missing').map((key) => document(key, state.revision));
    state.during();
    return found;
  };
  return { asked, state, read };
};

describe('cached documents', () => {
  it('are read once, and returned in the order of the keys', async () => {
    const cached = new CachedDocuments();
    const { asked, read } = database();
    await cached.read('pets', ['b', 'a'], read);
    const found = await cached.read('pets', ['c', 'a', 'missing', 'b'], read);
    expect([found.map(({ _id }) => _id), asked]).toEqual([
      ['c', 'a', 'b'],
      [
        ['b', 'a'],
        ['c', 'missing'],
      ],
    ]);
  });

  it('are read again after they have changed, and all after any may have changed', async () => {
    const cached = new CachedDocuments();
    const { asked, state, read } = database();
    await cached.read('pets', ['a', 'b'], read);
    state.revision = 1;
    cached.forget('pets', ['a']);
    expect((await cached.read('pets', ['a', 'b'], read)).map(({ revision }) => revision)).toEqual([1, 0]);
    cached.forget('pets', null);
    expect((await cached.read('pets', ['a', 'b'], read)).map(({ revision }) => revision)).toEqual([1, 1]);
    expect(asked).toEqual([['a', 'b'], ['a'], ['a', 'b']]);
  });

  it.each([
    ['its key', ['a']],
    ['all keys', null],
  ] as const)('are not kept if a change of %s is told while they are read', async (_, keys) => {
    const cached = new CachedDocuments();
    const { asked, state, read } = database();
    state.during = () => cached.forget('pets', keys);
    await cached.read('pets', ['a'], read);
    state.during = () => undefined;
    await cached.read('pets', ['a'], read);
    expect(asked).toEqual([['a'], ['a']]);
  });
});
