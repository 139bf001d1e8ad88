import { describe, expect, it } from '@jest/globals';
import type { Collection as MongoCollection } from 'mongodb';
import type { DocumentRecord } from './declaration.js';
import { DocumentReads } from './document-reads.js';

const documentOf = (key: string): DocumentRecord => ({ _id: key, json: `"${key}"`, revision: 0, f: {} });

/** A collection that has a document for every key except `none`. Records the keys of each command. */
const recordingCollection = (name = 'pets_v1_1') => {
  const commands: (readonly string[])[] = [];
  const documentsFor = (keys: readonly string[]): DocumentRecord[] => {
    commands.push(keys);
    return keys.filter((key) => key !== 'none').map(documentOf);
  };
  const collection = {
    collectionName: name,
    findOne: async ({ _id }: { _id: string }) => documentsFor([_id])[0] ?? null,
    find: ({ _id: { $in } }: { _id: { $in: readonly string[] } }) => ({ toArray: async () => documentsFor($in) }),
  };
  return { collection: collection as unknown as MongoCollection<DocumentRecord>, commands };
};

describe('reads of documents', () => {
  it('in one turn of the event loop share a command, which has each key once', async () => {
    const { collection, commands } = recordingCollection();
    const reads = new DocumentReads();
    const found = await Promise.all(['a', 'none', 'b', 'a'].map((key) => reads.read(collection, key)));
    expect(found).toEqual([documentOf('a'), null, documentOf('b'), documentOf('a')]);
    expect(commands).toEqual([['a', 'none', 'b']]);
  });

  it('in a later turn have their own command', async () => {
    const { collection, commands } = recordingCollection();
    const reads = new DocumentReads();
    await reads.read(collection, 'a');
    await reads.read(collection, 'a');
    expect(commands).toEqual([['a'], ['a']]);
  });

  it('have at most 32 keys per command', async () => {
    const { collection, commands } = recordingCollection();
    const reads = new DocumentReads();
    const keys = Array.from({ length: 70 }, (_, index) => `key ${index}`);
    expect(await Promise.all(keys.map((key) => reads.read(collection, key)))).toEqual(keys.map(documentOf));
    expect(commands.map((command) => command.length)).toEqual([32, 32, 6]);
  });

  it('have one command per collection', async () => {
    const pets = recordingCollection();
    const orders = recordingCollection('orders_v1_1');
    const reads = new DocumentReads();
    await Promise.all([reads.read(pets.collection, 'a'), reads.read(orders.collection, 'a')]);
    expect([pets.commands, orders.commands]).toEqual([[['a']], [['a']]]);
  });

  it('fail only if their own command fails', async () => {
    const { collection } = recordingCollection();
    const reads = new DocumentReads();
    const broken = { ...collection, collectionName: 'pets_v1_1', find: () => ({ toArray: () => Promise.reject(new Error('down')) }) };
    const outcomes = await Promise.allSettled(
      ['a', 'b'].map((key) => reads.read(broken as unknown as MongoCollection<DocumentRecord>, key)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await reads.read(collection, 'a')).toEqual(documentOf('a'));
  });
});

describe('reads of pages', () => {
  it('in one turn of the event loop share a command for the same page', async () => {
    const reads = new DocumentReads();
    const commands: string[] = [];
    const page = (name: string) => reads.page(name, async () => commands.push(name));
    expect(await Promise.all([page('cats'), page('dogs'), page('cats')])).toEqual([1, 2, 1]);
    expect(await page('cats')).toBe(3);
  });
});
