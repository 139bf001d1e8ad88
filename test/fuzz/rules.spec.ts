import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from '../../apps/api/http/problems/error-codes.js';
import { PROBLEMS } from '../../apps/api/http/problems/problem-kinds.js';
import { ROOT } from '../servers/program.js';

type Rule = {
  readonly name: string;
  readonly rule: string;
  readonly field?: string;
  readonly code?: string;
  readonly kind?: string;
};

const rules = JSON.parse(readFileSync(join(ROOT, 'test/fuzz/rules.json'), 'utf8')) as readonly Rule[];

describe('the fuzzing rules in rules.json', () => {
  it('equal the list in docs/fuzzing.md, in the same order', () => {
    const documented = readFileSync(join(ROOT, 'docs/fuzzing.md'), 'utf8').matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm);
    expect([...documented].map(([, name, rule]) => ({ name, rule }))).toEqual(rules.map(({ name, rule }) => ({ name, rule })));
  });

  it('each have either a field and a defined error code, or a defined kind of problem', () => {
    for (const { name, field, code, kind } of rules) {
      const isDefined = kind === undefined ? field !== undefined && code !== undefined && code in ERROR_CODES : kind in PROBLEMS;
      expect({ name, isDefined }).toEqual({ name, isDefined: true });
    }
  });
});
