import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { ACCEPT_COMMAND, goldenFile, goldenObject } from './golden-files.js';

const folder = pathToFileURL(`${newFolder()}/`);
afterAll(removeFolders);

describe('goldenFile', () => {
  it('throws an error with the name of a missing file and the command that writes it', () =>
    expect(() => goldenFile('messages/PetWithdrawn.json', () => 1, { folder, accepting: false })).toThrow(
      `test/golden/messages/PetWithdrawn.json is missing. To write it with the current value, run: ${ACCEPT_COMMAND}`,
    ));

  it('writes a missing file if it is accepted', () => {
    expect(goldenFile('new.json', () => ({ a: 1 }), { folder, accepting: true })).toEqual({ a: 1 });
    expect(goldenFile('new.json', () => ({ a: 2 }), { folder, accepting: false })).toEqual({ a: 1 });
  });

  it('never writes a file that exists', () => {
    writeFileSync(new URL('old.json', folder), '{"a":1}');
    expect(goldenFile('old.json', () => ({ a: 2 }), { folder, accepting: true })).toEqual({ a: 1 });
  });
});

describe('goldenObject', () => {
  it('throws an error with the names of missing members, adds them if they are accepted, and changes no other member', () => {
    writeFileSync(new URL('states.json', folder), '{"a":1}');
    const current = { a: 2, b: 3 };
    expect(() => goldenObject('states.json', current, { folder, accepting: false })).toThrow('states.json lacks b');
    expect(goldenObject('states.json', current, { folder, accepting: true })).toEqual({ a: 1, b: 3 });
    expect(goldenObject('states.json', current, { folder, accepting: false })).toEqual({ a: 1, b: 3 });
  });
});
