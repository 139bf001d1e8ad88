import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { createPace } from './pace.js';

describe('a pace', () => {
  it('starts work at once after an idle time', async () => {
    const clock = manualClock();
    const pace = createPace(clock, 25);
    await pace();
    clock.advance(25);
    await pace();
    clock.advance(1_000);
    await pace();
  });

  it('delays the next work until the interval has passed', async () => {
    const clock = manualClock();
    const pace = createPace(clock, 25);
    await pace();
    let begun = false;
    const next = pace().then(() => (begun = true));
    clock.advance(24);
    await Promise.resolve();
    expect(begun).toBe(false);
    clock.advance(1);
    await next;
    expect(begun).toBe(true);
  });

  it('does not wait longer after the clock was set back', async () => {
    let now = new Date('2026-01-02T03:00:00Z');
    const waits: number[] = [];
    const clock = {
      now: () => now,
      after: (milliseconds: number, work: () => void) => {
        waits.push(milliseconds);
        work();
        return () => undefined;
      },
    };
    const pace = createPace(clock, 25);
    await pace();
    now = new Date('2026-01-02T02:00:00Z');
    await pace();
    expect(waits).toEqual([25]);
  });
});
