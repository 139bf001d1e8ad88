import { cpSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { ROOT } from '../servers/program.js';

const PATTERNS = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const matches = (path: string, pattern: string): boolean =>
  matchesGlob(path, pattern) || (dirname(path) !== '.' && matches(dirname(path), pattern));

/** Whether .dockerignore excludes a path of the repository. The last pattern that matches decides. */
const isIgnored = (path: string): boolean => {
  const last = PATTERNS.findLast((pattern) => matches(path, pattern.replace(/^!/, '')));
  return last !== undefined && !last.startsWith('!');
};

/** Copies a path of the repository like an image build: without the files that .dockerignore excludes. */
export const copyFromContext = (source: string, to: string): void => {
  if (isIgnored(source)) throw new Error(`${source} is not in the build context: .dockerignore excludes it`);
  cpSync(join(ROOT, source), to, { recursive: true, filter: (path) => !isIgnored(relative(ROOT, path)) });
};
