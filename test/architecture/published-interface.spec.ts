import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { citationsIn } from './citations.js';
import { codesIn, rowsIn } from './contract-cells.js';

const contract = readFileSync(join(ROOT, 'docs/contract.md'), 'utf8');
const sections = new Set([...contract.matchAll(/^### (\d+\.\d+) /gm)].map(([, number]) => number));

/** Returns the number of each section of contract chapter 42, with the rows of its table. Each row is a list of cells. */
const partsOf = (document: string): readonly (readonly [section: string, rows: readonly (readonly string[])[]])[] => {
  const [, chapter = ''] = document.split(/^## 4[23] .*$/m);
  const [, ...parts] = (chapter.split(/^## /m)[0] ?? '').split(/^### /m);
  return parts.map((part) => [part.split(' ')[0] ?? '', rowsIn(part)]);
};

/** Returns whether the text has a test or a group of tests with exactly this title. */
const hasTitle = (text: string, title: string): boolean => [`'`, `"`, '`'].some((quote) => text.includes(`${quote}${title}${quote}`));

/** Returns what a row names but does not exist: sections, a file, and titles of tests in that file. */
const missingFor = ([row = '', stated = '', spec = '', tests = '']: readonly string[]): readonly string[] => {
  const unknown = stated.split(', ').filter((section) => section !== '' && !sections.has(section));
  const [file = ''] = codesIn(spec);
  const titles = codesIn(tests);
  // A test that `npm test` does not run proves nothing on each change.
  const isRun = /^(apps|libs|test)\/.*\.ts$/.test(file) && !/\.(more|containers)\./.test(file) && existsSync(join(ROOT, file));
  if (!isRun) return [...unknown, file];
  const text = readFileSync(join(ROOT, file), 'utf8');
  const absent = titles.filter((title) => !hasTitle(text, title));
  return [
    ...unknown,
    ...absent,
    ...((row === '') === (stated === '') ? [] : [`${row}: section`]),
    ...(titles.length > 0 ? [] : [`${file}: test`]),
  ];
};

const parts = partsOf(contract);
const rows = parts.flatMap(([, cells]) => cells);

/**
 * Proves contract 39.10, and that the tables of contract 42.1, 42.2, 42.3, 42.4, 42.5, 42.6, 42.7, 42.8, 42.9, 42.10, 42.11,
 * 42.12, 42.13, 42.14, 42.15, 42.16, 42.17, 42.18, 42.19, 42.20 and 42.21 name tests that exist.
 */
describe('the published interface', () => {
  it.each(parts)('has, in contract %s, a section and a test for every row', (_, cells) => {
    expect(cells.flatMap(missingFor)).toEqual([]);
  });

  it.each(parts)('is cited, for contract %s, by every file with a test of it', (section, cells) => {
    const specs = new Set(cells.flatMap(([, , spec = '']) => codesIn(spec)));
    const uncited = [...specs].filter(
      (file) => !citationsIn(readFileSync(join(ROOT, file), 'utf8')).some((cited) => cited.section === section),
    );
    expect(uncited).toEqual([]);
  });

  it('has rows in every part but the first, and the first row of each table has a name', () => {
    expect(parts.map(([section, cells]) => [section, cells.length > 0])).toEqual(
      Array.from({ length: 21 }, (_, index) => [`42.${index + 1}`, index > 0]),
    );
    expect(parts.filter(([, [first]]) => first?.[0] === '')).toEqual([]);
    expect(rows.filter(([row]) => row !== '').length).toBeGreaterThan(200);
  });

  it.each([
    [['a row', '99.1', '`test/http/users.spec.ts`', '`are unique in one tenant only`'], '99.1'],
    [['a row', '30.2', '`test/http/nothing.spec.ts`', '`are unique in one tenant only`'], 'test/http/nothing.spec.ts'],
    [['a row', '30.2', '`test/http/users.spec.ts`', '`are unique in one tenant`'], 'are unique in one tenant'],
    [['a row', '30.2', '`test/http/users.spec.ts`', ''], 'test/http/users.spec.ts: test'],
    [['a row', '', '`test/http/users.spec.ts`', '`are unique in one tenant only`'], 'a row: section'],
    [['a row', '30.2', '`test/http/walks.more.spec.ts`', '`works`'], 'test/http/walks.more.spec.ts'],
  ])('reports what is missing for the row %j', (row, missing) => expect(missingFor(row)).toEqual([missing]));
});
