import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { filesOf } from './repository-files.js';
import { unusedExports, type Source } from './unused-exports.js';

/** Code for tests. Only tests need to use its exports. */
const FOR_TESTS = /\.(spec|fixtures)\.ts$|\/testing\//;

const sourcesIn = (folder: string): readonly Source[] =>
  filesOf(folder)
    .filter((file) => /\.(ts|mjs)$/.test(file) && !FOR_TESTS.test(file))
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

describe('the exports of apps and libs', () => {
  it('are used by the product and not only by tests: remove unused ones, or move them to a fixture', () => {
    const product = ['apps', 'libs'].flatMap(sourcesIn);
    expect(product.length).toBeGreaterThan(300);
    expect(unusedExports(product, sourcesIn('scripts'))).toEqual([]);
  });
});

describe('an export', () => {
  const unused = (one: string, other = '', tool = ''): readonly string[] =>
    unusedExports(
      [
        { file: 'libs/one.ts', text: one },
        { file: 'apps/other.ts', text: other },
      ],
      [{ file: 'scripts/tool.mjs', text: tool }],
    );

  it.each([
    ['a function', 'export const planted = () => 1;'],
    ['a function declaration', 'export function planted() {}'],
    ['a class', 'export class planted {}'],
    ['a type', 'export type planted = 1;'],
    ['a re-export', "export { planted } from './elsewhere.js';"],
    ['one that shares its name with a property', 'export const planted = 1; const one = { planted: 2 }; one.planted;'],
  ])('is unused if nothing refers to it: %s', (_, text) => expect(unused(text)).toEqual(['libs/one.ts: planted']));

  it('is unused if only an unused re-export refers to it', () =>
    expect(unused('export const one = 1;', "export { one as two } from '../libs/one.js';")).toEqual(['apps/other.ts: two']));

  it.each([
    ['an import', "import { one } from '../libs/one.js';"],
    ['an import of the type', "import type { one } from '../libs/one.js';"],
    ['an import by another name', "import { one as two } from '../libs/one.js';"],
    ['an import of the whole module', "import * as all from '../libs/one.js'; all.one;"],
    ['a dynamic import', "(await import('../libs/one.js')).one;"],
  ])('is used with %s', (_, other) => expect(unused('export const one = 1;', other)).toEqual([]));

  it('is used if its own file or a script refers to it', () => {
    expect(unused('export const one = 1; one;')).toEqual([]);
    expect(unused('export const one = 1; const all = { one };')).toEqual([]);
    expect(unused('export const one = 1;', '', "import { one } from '../libs/one.ts';")).toEqual([]);
  });
});
