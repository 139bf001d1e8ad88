import { describe, expect, it } from '@jest/globals';
import { MongoServerError, type Collection as MongoCollection, type Document } from 'mongodb';
import { Hints, type Hint } from './hints.js';

const MISSING = 'error processing query :: hint provided does not correspond to an existing index';
const collection = { collectionName: 'pets_v1_1' } as MongoCollection<Document>;

const openHints = () => {
  const state = { revision: 1, hasIndex: false };
  const hints = new Hints(() => state.revision);
  const given: Hint[] = [];
  const runWithHint = (index: string | undefined): Promise<string> =>
    hints.withHint(collection, index, async (hint) => {
      given.push(hint);
      if (hint.hint !== undefined && !state.hasIndex) throw new MongoServerError({ code: 2, message: MISSING });
      return 'done';
    });
  return { state, runWithHint, given };
};

describe('hints', () => {
  it('name an existing index', async () => {
    const { state, runWithHint, given } = openHints();
    state.hasIndex = true;
    expect([await runWithHint('by price'), await runWithHint(undefined)]).toEqual(['done', 'done']);
    expect(given).toEqual([{ hint: 'by price' }, {}]);
  });

  it('are omitted when an index is missing, until a version changes', async () => {
    const { state, runWithHint, given } = openHints();
    expect([await runWithHint('by price'), await runWithHint('by price')]).toEqual(['done', 'done']);
    expect(given).toEqual([{ hint: 'by price' }, {}, {}]);
    state.revision = 2;
    state.hasIndex = true;
    await runWithHint('by price');
    expect(given.at(-1)).toEqual({ hint: 'by price' });
  });

  it('do not hide other failures', async () => {
    const hints = new Hints(() => 1);
    const failing = hints.withHint(collection, 'by price', () => Promise.reject(new MongoServerError({ code: 2, message: 'bad value' })));
    await expect(failing).rejects.toThrow('bad value');
  });
});
