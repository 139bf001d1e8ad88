import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { citationsIn, NUMBER, SECTION, SPACE, type Citation } from './citations.js';
import { filesOf } from './repository-files.js';

/** Sections that no test cites, each with the reason. */
const UNCITED: Readonly<Record<string, string>> = {
  '1.1': 'how to cite; this file tests it',
  '1.2': 'a description',
  '1.3': 'definitions of terms',
  '27.2': 'a summary of sections that tests cite; the suites of test/http run on both profiles',
  '28.5': 'what clients do',
  '28.10': 'an exception for later versions',
};

const CONTRACT = 'docs/contract.md';
const FOLDERS = ['apps', 'libs', 'test', 'examples', 'scripts', 'docs', 'deploy'];
const ROOT_FILES = ['README.md', 'CONTRIBUTING.md', 'DECISIONS.md', 'CHANGELOG.md', 'eslint.config.js', '.dependency-cruiser.js'];

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The files that may cite the contract. This file is excluded, because its examples cite missing sections. */
const files = [...filesOf(...FOLDERS).filter((file) => /\.(ts|mjs|js|md|yaml|sh|py)$/.test(file)), ...ROOT_FILES].filter(
  (file) => file !== 'test/architecture/citations.spec.ts',
);

/** A reference within the contract to another section: `see 4.3`, `chapter 24`. */
const REFERENCE = new RegExp(
  `\\b(?:(?:see|sections?|by|in|of|unless|as|follow|also)${SPACE}(${SECTION})|chapters?${SPACE}(${NUMBER}))`,
  'gi',
);

const contract = read(CONTRACT);
const sections: readonly string[] = [...contract.matchAll(/^### (\d+\.\d+) /gm)].map(([, number]) => number ?? '');
const chapters: readonly string[] = [...contract.matchAll(/^## (\d+) /gm)].map(([, number]) => number ?? '');
const isKnown = (number: string): boolean => sections.includes(number) || chapters.includes(number);

const unknownAmong = (file: string, citations: readonly Citation[]): readonly string[] =>
  citations.filter(({ section }) => !isKnown(section)).map(({ section, line }) => `${file}:${line}: contract ${section} does not exist`);

const isTest = (file: string): boolean =>
  (/^test\/.*\.ts$/.test(file) || file.endsWith('.spec.ts')) && !file.startsWith('test/architecture/planted/');
const citations = new Map(files.map((file) => [file, citationsIn(read(file))]));
const cited = new Set([...citations].flatMap(([file, found]) => (isTest(file) ? found.map(({ section }) => section) : [])));
const uncited = sections.filter((section) => !cited.has(section));

describe('a citation of the contract', () => {
  it('names a section that exists', () => {
    expect([...citations].flatMap(([file, found]) => unknownAmong(file, found))).toEqual([]);
    expect([...citations.values()].flat().length).toBeGreaterThan(80);
  });

  it('names a section that exists in the contract itself', () => {
    const references = citationsIn(contract, REFERENCE);
    expect(unknownAmong(CONTRACT, references)).toEqual([]);
    expect(references.length).toBeGreaterThan(40);
  });

  it.each([
    ['// The rule is contract 4.99.', 1, ['4.99']],
    ["it('answers 409 (contract 13.3)', () => {\n// as in contract\n// 99.1 and 13.4", 2, ['99.1']],
    ['/**\n * See contract 4.1, 98.2\n * and 97.3, which are\n * gone.\n */', 2, ['98.2', '97.3']],
    ['as [the contract](docs/contract.md) says: Contract chapter 77', 1, ['77']],
  ])('is reported if its section does not exist: %j', (text, line, numbers) => {
    expect(unknownAmong('a.ts', citationsIn(text))).toEqual(numbers.map((number) => `a.ts:${line}: contract ${number} does not exist`));
  });

  it.each(['the contract 2.0.1 of Webhooks', 'contracts 99.1', 'contract: 99 cases'])('is not found in the text %j', (text) => {
    expect(citationsIn(text)).toEqual([]);
  });
});

describe('a section of the contract', () => {
  it('has a unique number, in ascending order', () => {
    const byChapter = chapters.flatMap((chapter) => sections.filter((section) => section.startsWith(`${chapter}.`)));
    expect(byChapter).toEqual(sections);
    expect(new Set(sections).size).toBe(sections.length);
    expect(sections.length).toBeGreaterThan(150);
  });

  it('is cited by a test', () => {
    expect(uncited.filter((section) => !Object.hasOwn(UNCITED, section))).toEqual([]);
  });

  it('is listed in UNCITED only if no test cites it', () => {
    expect(Object.keys(UNCITED).filter((section) => !uncited.includes(section))).toEqual([]);
  });
});
