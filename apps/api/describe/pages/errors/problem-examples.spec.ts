import { describe, expect, it } from '@jest/globals';
import { BrokenHistory, type HistoryFault } from '../../../../../libs/eventsourcing/history.js';
import { StoreUnavailable } from '../../../../../libs/eventsourcing/ports/event-store.port.js';
import { problemOf } from '../../../http/problems/failures.js';
import { PROBLEMS, type ProblemDescription } from '../../../http/problems/problem-kinds.js';
import { Problem } from '../../../http/problems/problem.js';
import { runningApi } from '../../../testing/running-api.fixtures.js';
import { PROBLEM_EXAMPLES } from './problem-examples.js';

const broken = (kind: HistoryFault['kind']) =>
  new BrokenHistory({ stream: 'pet-1', revision: 0, kind, reason: 'a hash differs', tenant: null });

/**
 * Checks the examples of the problems that only a failure or a limit causes.
 * test/http/error-examples.spec.ts checks all other examples.
 */
describe('the example on an error page', () => {
  it.each([
    ['internal-error', new Error('unforeseen')],
    ['temporarily-unavailable', new StoreUnavailable('disk full')],
    ['history-altered', broken('altered')],
    ['history-unreadable', broken('unreadable')],
  ] as const)('for %s has the detail and the headers that the service sends', (kind, failure) => {
    const problem = problemOf(failure, () => new Problem('not-found', ''));
    const { detail, headers = {} } = PROBLEM_EXAMPLES[kind];
    expect([problem.kind, problem.detail]).toEqual([kind, detail]);
    const { retryAfter }: ProblemDescription = PROBLEMS[kind];
    expect(headers).toEqual(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) });
  });

  it('for too-many-requests has the detail and the headers that the service sends, apart from numbers', async () => {
    const { app, inject } = await runningApi({ RATE_LIMIT: '1/60s' });
    await inject({ url: '/v1/pets' });
    const { headers, json } = await inject({ url: '/v1/pets' });
    await app.close();
    const withoutNumbers = (text: unknown) => String(text).replace(/\d+/g, 'N');
    const { detail, headers: expected = {} } = PROBLEM_EXAMPLES['too-many-requests'];
    expect(withoutNumbers(json<{ readonly detail: string }>().detail)).toBe(withoutNumbers(detail));
    for (const [name, value] of Object.entries(expected))
      expect([name, withoutNumbers(headers[name.toLowerCase()])]).toEqual([name, withoutNumbers(value)]);
  });
});
