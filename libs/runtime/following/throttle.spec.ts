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
    const clock = manualClock();
    const throttle = createThrottle(clock, 25);
    await throttle();
    clock.set(clock.now().getTime() - 3_600_000);
    const next = throttle();
    clock.advance(25);
    await next;
  });
});
