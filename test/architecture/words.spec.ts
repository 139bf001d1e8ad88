import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { filesOf } from './repository-files.js';

const { DIALECT } = (await import(join(ROOT, 'eslint.config.js'))) as { readonly DIALECT: RegExp };

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The texts that lint does not read. */
const files = [...readdirSync(ROOT), ...filesOf('docs', 'deploy', 'examples')].filter(
  (file) => /\.(md|ya?ml|sh)$/.test(file) || file.endsWith('Dockerfile'),
);

/** Returns each banned word as `file:line: word`. Words in code spans are allowed. */
const wordsIn = (file: string, text: string): readonly string[] => {
  const prose = text.replaceAll(/`[^`\n]*`/g, '``');
  return [...prose.matchAll(DIALECT)].map(({ 0: word, index }) => `${file}:${prose.slice(0, index).split('\n').length}: ${word}`);
};

describe('the documents', () => {
  it('use the terms of the field', () => {
    expect(files.flatMap((file) => wordsIn(file, read(file)))).toEqual([]);
    expect(files.length).toBeGreaterThan(20);
  });

  it.each([
    ['A text.\nWhoever reads it', ['a.md:2: Whoever']],
    ['It is kept for\never, and stands here.', ['a.md:1: for\never', 'a.md:2: stands']],
    ['`told` is not `wish`, toldness or understands', []],
  ])('are searched for whole words: %j', (text, found) => expect(wordsIn('a.md', text)).toEqual(found));
});
