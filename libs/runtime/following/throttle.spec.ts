import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { createThrottle } from './throttle.js';

describe('a throttle', () => {
  it('starts work at once after an idle time', async () => {
    const clock = manualClock();
    const throttle = createThrottle(clock, 25);
    await throttle();
    clock.advance(25);
    await throttle();
    clock.advance(1_000);
    await throttle();
  });

  it('delays the next work until the interval has passed', async () => {
    const clock = manualClock();
    const throttle = createThrottle(clock, 25);
    await throttle();
    let started = false;
    const next = throttle().then(() => (started = true));
    clock.advance(24);
    await Promise.resolve();
    expect(started).toBe(false);
    clock.advance(1);
    await next;
    expect(started).toBe(true);
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
    const throttle = createThrottle(clock, 25);
    await throttle();
    now = new Date('2026-01-02T02:00:00Z');
    await throttle();
    expect(waits).toEqual([25]);
  });
});
