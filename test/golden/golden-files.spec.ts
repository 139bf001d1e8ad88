import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { ACCEPT_COMMAND, goldenFile } from './golden-files.js';

const folder = pathToFileURL(`${newFolder()}/`);
afterAll(removeFolders);

describe('a golden file', () => {
  it('that is missing is named in the error, with the command that writes it', () =>
    expect(() => goldenFile('messages/PetWithdrawn.json', () => 1, { folder, accepting: false })).toThrow(
      `test/golden/messages/PetWithdrawn.json is missing. To write it with the current value, run: ${ACCEPT_COMMAND}`,
    ));

  it('that is missing is written when accepted', () => {
    expect(goldenFile('new.json', () => ({ a: 1 }), { folder, accepting: true })).toEqual({ a: 1 });
    expect(goldenFile('new.json', () => ({ a: 2 }), { folder, accepting: false })).toEqual({ a: 1 });
  });

  it('that exists is never written', () => {
    writeFileSync(new URL('old.json', folder), '{"a":1}');
    expect(goldenFile('old.json', () => ({ a: 2 }), { folder, accepting: true })).toEqual({ a: 1 });
  });
});
