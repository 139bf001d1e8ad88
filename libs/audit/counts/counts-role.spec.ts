import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { startCounts } from './message-counter.js';

const MINUTE = 60_000;

const start = (time: string, { failures = 0 } = {}) => {
  const clock = manualClock(time);
  const days: string[] = [];
  const errors: unknown[] = [];
  let signal: AbortSignal | undefined;
  let left = failures;
  const stop = startCounts({
    clock,
    messageCounter: {
      countUntil: async (openDay, given) => {
        days.push(openDay);
        signal = given;
        if (left-- > 0) throw new Error('the log is down');
      },
    },
    onError: (error) => void errors.push(error),
  });
  const pass = async (minutes: number): Promise<void> => {
    for (let passed = 0; passed < minutes; passed++) {
      clock.advance(MINUTE);
      await new Promise(setImmediate);
    }
  };
  return { days, errors, pass, stop, signal: () => signal };
};

/** Proves contract 35.7. */
describe('the role that counts messages', () => {
  it('counts the messages of earlier days after its start, and those of a day ten minutes after that day ends', async () => {
    const { days, pass } = start('2026-01-02T23:00:00.000Z');
    await pass(1);
    expect(days).toEqual(['2026-01-02']);
    await pass(68);
    expect(days).toEqual(['2026-01-02']);
    await pass(1);
    expect(days).toEqual(['2026-01-02', '2026-01-03']);
    await pass(24 * 60);
    expect(days).toEqual(['2026-01-02', '2026-01-03', '2026-01-04']);
  });

  it('tries again a minute after a failure', async () => {
    const { days, errors, pass } = start('2026-01-02T12:00:00.000Z', { failures: 1 });
    await pass(5);
    expect([days, errors.length]).toEqual([['2026-01-02', '2026-01-02'], 1]);
  });

  it('ends a running count when it is stopped', async () => {
    const { pass, stop, signal } = start('2026-01-02T12:00:00.000Z');
    await pass(1);
    await stop();
    expect(signal()?.aborted).toBe(true);
  });
});
