import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A secret text that must not be found, and its description. */
export type Canary = { readonly what: string; readonly text: string };

/** The encodings of a text: plain, escaped, in base64 at every offset, in hex, in UTF-16 and reversed. */
const encodingsOf = (text: string): readonly (readonly [string, Buffer])[] => {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // The first and last characters also encode neighbouring bytes, so they are removed.
    const inner = encoded.slice(Math.ceil((shift * 4) / 3), Math.floor(((shift + bytes.length) * 8) / 6));
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const plain = [
    ['plain', text],
    ['JSON', JSON.stringify(text).slice(1, -1)],
    ['URL encoding', encodeURIComponent(text)],
    ['hex', bytes.toString('hex')],
    ['HEX', bytes.toString('hex').toUpperCase()],
    ...base64.map((encoded) => ['base64', encoded]),
  ];
  return [
    ...plain.map(([name = '', hidden = '']) => [name, Buffer.from(hidden)] as const),
    ['UTF-16', Buffer.from(text, 'utf16le')],
    ['backwards', Buffer.from([...text].reverse().join(''))],
  ];
};

/** Describes each canary that is found in some bytes. */
export const canariesIn = (place: string, bytes: Buffer, canaries: readonly Canary[]): readonly string[] =>
  canaries.flatMap(({ what, text }) =>
    encodingsOf(text).flatMap(([encoding, hidden]) =>
      hidden.length > 0 && bytes.includes(hidden) ? [`${what} in ${place} (${encoding})`] : [],
    ),
  );

/** Returns every file below a folder with its content. */
export const filesUnder = (folder: string): readonly (readonly [string, Buffer])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path)] as const);

/** Describes each canary that is found in the files of a folder. */
export const canariesUnder = (folder: string, canaries: readonly Canary[]): readonly string[] =>
  filesUnder(folder).flatMap(([path, bytes]) => canariesIn(path, bytes, canaries));
