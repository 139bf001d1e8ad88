import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PROBLEMS } from '../../apps/api/http/problems/problem-kinds.js';
import { REQUEST_STEPS } from '../../apps/api/http/request-steps.js';
import { ROOT } from '../servers/program.js';
import { REQUEST_PAGE, requestPage } from './request-page.js';

describe(REQUEST_PAGE, () => {
  it('shows the steps of the code', () => expect(readFileSync(join(ROOT, REQUEST_PAGE), 'utf8')).toBe(requestPage()));

  it('has each kind of problem in a step', () => {
    const answers = new Set<string>(REQUEST_STEPS.flatMap((step): readonly string[] => step.answers));
    expect(Object.keys(PROBLEMS).filter((kind) => !answers.has(kind))).toEqual([]);
  });

  it('names files that exist', () =>
    expect(REQUEST_STEPS.map(({ file }) => file).filter((file) => !existsSync(join(ROOT, 'apps/api/http', file)))).toEqual([]));
});
