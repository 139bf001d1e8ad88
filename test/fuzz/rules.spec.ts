import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OPS, SCOPES } from '../../apps/api/http/admission/access.js';
import { ERROR_CODES } from '../../apps/api/http/problems/error-codes.js';
import { PROBLEMS } from '../../apps/api/http/problems/problem-kinds.js';
import { ALL_OPERATIONS } from '../http/example-requests.js';
import { ROOT } from '../servers/program.js';
import { itOnOwnPetstore, startOwnPetstore } from '../servers/test-petstore.js';

type Rule = {
  readonly name: string;
  readonly rule: string;
  readonly field?: string;
  readonly code?: string;
  /** The error message. Errors of the classic variant have no codes, and several rules may have one code. */
  readonly message?: string;
  readonly kind?: string;
  /** The operations to which the rule is limited, as `METHOD /path`. */
  readonly operations?: readonly string[];
};

const { FUZZED_DOCUMENTS, FUZZ_SCOPES, countOperations } = (await import(join(ROOT, 'scripts/fuzz.mjs'))) as {
  readonly FUZZED_DOCUMENTS: readonly { readonly path: string }[];
  readonly FUZZ_SCOPES: string;
  readonly countOperations: (document: string) => Promise<number>;
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

describe('npm run fuzz', () => {
  itOnOwnPetstore('tests every operation, because its documents list all of them', async () => {
    const service = await startOwnPetstore();
    try {
      const counts = await Promise.all(FUZZED_DOCUMENTS.map(({ path }) => countOperations(service.url + path)));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ALL_OPERATIONS.length);
    } finally {
      await service.stop();
    }
  });

  it('has a token with every scope, so that no operation always returns 403', () =>
    expect(FUZZ_SCOPES.split(' ').toSorted()).toEqual([...Object.keys(SCOPES), OPS].toSorted()));
});
