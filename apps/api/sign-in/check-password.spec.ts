import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import { CheckPassword, type PasswordCheck } from '../../../libs/application/sessions/sign-in.query.js';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import { checkPassword, STEP } from './check-password.js';

/** Proves contract 30.7. */
describe('the time of a rejected sign-in', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Returns the milliseconds after which a check is answered whose work takes `milliseconds`. */
  const durationOf = async (milliseconds: number, result: PasswordCheck): Promise<number> => {
    const work = () => new Promise<PasswordCheck>((resolve) => setTimeout(() => resolve(result), milliseconds));
    const queries = { execute: work } as unknown as Pick<QueryBus, 'execute'>;
    const start = performance.now();
    const answered = checkPassword(queries, new CheckPassword('ann', 'password', SHARED_POOL, '203.0.113.1')).then(() => performance.now());
    await jest.runAllTimersAsync();
    return (await answered) - start;
  };

  it.each([
    [0, STEP],
    [16, STEP],
    [17, STEP],
    [STEP + 1, 2 * STEP],
  ])('is a full step when the check takes %d ms', async (milliseconds, expected) => {
    expect(await durationOf(milliseconds, { kind: 'wrong' })).toBe(expected);
  });

  it('is not changed for other results', async () => {
    expect(await durationOf(16, { kind: 'too-many-attempts', retrySeconds: 1 })).toBe(16);
  });
});
