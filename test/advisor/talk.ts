import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../servers/program.js';

/** A talk of a new customer, and what the last answer must and must not have. README.md describes the members. */
export type Talk = { readonly say: readonly string[]; readonly contains?: readonly string[]; readonly excludes?: readonly string[] };

/** The files of talks, and the least number of talks in each. Four people who had not seen the advisor wrote judged.json, most of second.json, third.json and fourth.json. */
export const TALK_FILES = [
  ['judged.json', 60],
  ['more.json', 100],
  ['second.json', 80],
  ['third.json', 60],
  ['fourth.json', 60],
] as const;

/** Reads the talks in a file of the folder `talks`. */
export const talksOf = (file: string): readonly Talk[] =>
  JSON.parse(readFileSync(join(ROOT, 'test', 'advisor', 'talks', file), 'utf8')) as Talk[];
