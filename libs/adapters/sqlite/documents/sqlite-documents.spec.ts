import { describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../eventsourcing/ports/documents.port.js';
import { things } from '../sqlite.fixtures.js';
import { SqliteDocuments } from './sqlite-documents.js';

const older: Collection = { ...things, version: 1 };
const newer: Collection = { ...things, version: 2 };

/** Returns documents whose older version is replaced and dropped while a thread counts in it. */
const given = (replacedBy: Collection) => {
  let serving = older;
  const counted: number[] = [];
  const search = {
    count: async ({ version }: Collection): Promise<number> => {
      counted.push(version);
      serving = replacedBy;
      if (version === 1) throw new Error('no such table: things_v1');
      return 5;
    },
  };
  const dependencies = { search, collections: { versionFor: () => serving } };
  return { counted, documents: new SqliteDocuments(dependencies as unknown as ConstructorParameters<typeof SqliteDocuments>[0], 'reader') };
};

describe('a read of a version that is dropped meanwhile', () => {
  it('is made again from the version that has replaced it', async () => {
    const { documents, counted } = given(newer);
    expect(await documents.count(newer, {})).toBe(5);
    expect(counted).toEqual([1, 2]);
  });

  it('fails if no other version serves', async () => {
    const { documents, counted } = given(older);
    await expect(documents.count(newer, {})).rejects.toThrow('no such table');
    expect(counted).toEqual([1]);
  });
});
