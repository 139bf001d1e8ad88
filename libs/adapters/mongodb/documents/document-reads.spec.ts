import { describe, expect, it } from '@jest/globals';
import type { Collection as MongoCollection } from 'mongodb';
import type { KeptDocument } from './declared.js';
import { DocumentReads } from './document-reads.js';

const documentOf = (key: string): KeptDocument => ({ _id: key, json: `"${key}"`, revision: 0, f: {} });

/** A collection that has every document but `none`, and records which keys each command named. */
const recordingPlace = (name = 'pets_v1_1') => {
  const commands: (readonly string[])[] = [];
  const answer = (keys: readonly string[]): KeptDocument[] => {
    commands.push(keys);
    return keys.filter((key) => key !== 'none').map(documentOf);
  };
  const place = {
    collectionName: name,
    findOne: async ({ _id }: { _id: string }) => answer([_id])[0] ?? null,
    find: ({ _id: { $in } }: { _id: { $in: readonly string[] } }) => ({ toArray: async () => answer($in) }),
  };
  return { place: place as unknown as MongoCollection<KeptDocument>, commands };
};

describe('reads of documents', () => {
  it('of one turn share a command, each key once', async () => {
    const { place, commands } = recordingPlace();
    const reads = new DocumentReads();
    const found = await Promise.all(['a', 'none', 'b', 'a'].map((key) => reads.read(place, key)));
    expect(found).toEqual([documentOf('a'), null, documentOf('b'), documentOf('a')]);
    expect(commands).toEqual([['a', 'none', 'b']]);
  });

  it('join no command that is under way: one in a later turn has its own', async () => {
    const { place, commands } = recordingPlace();
    const reads = new DocumentReads();
    await reads.read(place, 'a');
    await reads.read(place, 'a');
    expect(commands).toEqual([['a'], ['a']]);
  });

  it('are so many to a command at the most', async () => {
    const { place, commands } = recordingPlace();
    const reads = new DocumentReads();
    const keys = Array.from({ length: 70 }, (_, index) => `key ${index}`);
    expect(await Promise.all(keys.map((key) => reads.read(place, key)))).toEqual(keys.map(documentOf));
    expect(commands.map((command) => command.length)).toEqual([32, 32, 6]);
  });

  it('are of one collection each', async () => {
    const pets = recordingPlace();
    const orders = recordingPlace('orders_v1_1');
    const reads = new DocumentReads();
    await Promise.all([reads.read(pets.place, 'a'), reads.read(orders.place, 'a')]);
    expect([pets.commands, orders.commands]).toEqual([[['a']], [['a']]]);
  });

  it('fail together with their command, and no longer', async () => {
    const { place } = recordingPlace();
    const reads = new DocumentReads();
    const broken = { ...place, collectionName: 'pets_v1_1', find: () => ({ toArray: () => Promise.reject(new Error('down')) }) };
    const outcomes = await Promise.allSettled(['a', 'b'].map((key) => reads.read(broken as unknown as MongoCollection<KeptDocument>, key)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await reads.read(place, 'a')).toEqual(documentOf('a'));
  });
});

describe('reads of pages', () => {
  it('of one turn share a command where they ask for the same', async () => {
    const reads = new DocumentReads();
    const asked: string[] = [];
    const page = (name: string) => reads.page(name, async () => asked.push(name));
    expect(await Promise.all([page('cats'), page('dogs'), page('cats')])).toEqual([1, 2, 1]);
    expect(await page('cats')).toBe(3);
  });
});
