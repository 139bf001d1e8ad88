import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { acceptChanges, assertAccepted, compareMembers, goldenChange } from './golden-files.js';

const folder = pathToFileURL(`${newFolder()}/`);
afterAll(removeFolders);

const write = (file: string, content: unknown): void => writeFileSync(new URL(file, folder), JSON.stringify(content));
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
const change = (file: string, current: unknown) => goldenChange(file, current, 'Restore it.', folder);

describe('the members of two values', () => {
  it.each<[string, unknown, unknown, readonly string[], readonly string[]]>([
    ['are equal in any order', { a: 1, b: 2 }, { b: 2, a: 1 }, [], []],
    ['have additions, named by their paths', { a: { b: 1 } }, { a: { b: 1, c: 2 }, d: {} }, ['a.c', 'd'], []],
    ['have removed members', { a: { b: 1, c: 2 } }, { a: { b: 1 } }, [], ['a.c']],
    ['have changed members', { a: 1, b: null }, { a: 2, b: {} }, [], ['a', 'b']],
    ['are compared in lists', [{ a: 1 }], [{ a: 1, b: 2 }], ['0.b'], []],
    ['do not have longer lists', { a: [1] }, { a: [1, 2] }, [], ['a']],
    ['do not have an object in place of a list', { a: [] }, { a: {} }, [], ['a']],
  ])('%s', (_, before, after, added, changed) => expect(compareMembers(before, after)).toEqual({ added, changed }));
});

describe('a golden file', () => {
  it('is accepted if it equals the current value', () => {
    write('same.json', { a: 1 });
    expect(change('same.json', { a: 1 })).toBeNull();
  });

  it('names the command that accepts it if it is missing or has new members', () => {
    expect(() => assertAccepted(change('missing.json', 1))).toThrow(
      'test/golden/missing.json: new: the file. To accept it, run: npm run accept',
    );
    write('grown.json', { a: 1 });
    expect(() => assertAccepted(change('grown.json', { a: 1, b: 2 }))).toThrow(
      'test/golden/grown.json: new: b. To accept it, run: npm run accept',
    );
  });

  it('names the remedy if a member has changed', () => {
    write('changed.json', { a: { b: 1 } });
    expect(() => assertAccepted(change('changed.json', { a: { b: 2 }, c: 3 }))).toThrow(
      'test/golden/changed.json: a.b has changed or is gone. Restore it.',
    );
  });
});

describe('the command that accepts changes', () => {
  it('writes what is new, refuses what breaks readers, and names both', () => {
    write('old.json', { a: 1 });
    write('broken.json', { a: 1 });
    const changes = [
      change('new.json', 1),
      change('old.json', { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }),
      change('broken.json', { b: 2 }),
    ].flatMap((one) => one ?? []);
    expect(acceptChanges(changes, folder)).toEqual({
      written: ['test/golden/new.json (the file)', 'test/golden/old.json (b, c, d and 2 more)'],
      refused: ['test/golden/broken.json: a has changed or is gone. Restore it.'],
    });
    expect(['new.json', 'old.json', 'broken.json'].map(read)).toEqual([1, { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, { a: 1 }]);
  });
});
