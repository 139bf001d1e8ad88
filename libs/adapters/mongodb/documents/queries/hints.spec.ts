import { describe, expect, it } from '@jest/globals';
import { MongoServerError, type Collection as MongoCollection, type Document } from 'mongodb';
import { Hints, type Hint } from './hints.js';

const MISSING = 'error processing query :: hint provided does not correspond to an existing index';
const place = { collectionName: 'pets_v1_1' } as MongoCollection<Document>;

const opened = () => {
  const state = { revision: 1, hasIndex: false };
  const hints = new Hints(() => state.revision);
  const given: Hint[] = [];
  const follow = (index: string | undefined): Promise<string> =>
    hints.following(place, index, async (hint) => {
      given.push(hint);
      if (hint.hint !== undefined && !state.hasIndex) throw new MongoServerError({ code: 2, message: MISSING });
      return 'done';
    });
  return { state, follow, given };
};

describe('hints', () => {
  it('name an index that is there', async () => {
    const { state, follow, given } = opened();
    state.hasIndex = true;
    expect([await follow('by price'), await follow(undefined)]).toEqual(['done', 'done']);
    expect(given).toEqual([{ hint: 'by price' }, {}]);
  });

  it('are done without where the index is missing, until something was seen to have changed', async () => {
    const { state, follow, given } = opened();
    expect([await follow('by price'), await follow('by price')]).toEqual(['done', 'done']);
    expect(given).toEqual([{ hint: 'by price' }, {}, {}]);
    state.revision = 2;
    state.hasIndex = true;
    await follow('by price');
    expect(given.at(-1)).toEqual({ hint: 'by price' });
  });

  it('hide no other failure', async () => {
    const hints = new Hints(() => 1);
    const failing = hints.following(place, 'by price', () => Promise.reject(new MongoServerError({ code: 2, message: 'bad value' })));
    await expect(failing).rejects.toThrow('bad value');
  });
});
