import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { createIds } from './ids.js';

describe('ids from a fixed source of random bytes', () => {
  it('consist of the time, the counter within the millisecond, and random bits after the variant', () => {
    const ids = createIds(manualClock(0x0123456789ab), (size) => new Uint8Array(size).fill(0xff));
    expect([ids.next(), ids.next()]).toEqual(['01234567-89ab-7000-bfff-ffffffffffff', '01234567-89ab-7001-bfff-ffffffffffff']);
  });

  it('are the same in every run', () => {
    const run = (): string[] => {
      let seed = 0;
      const ids = createIds(manualClock(0), (size) => Uint8Array.from({ length: size }, () => (seed = (seed * 73 + 41) & 0xff)));
      return Array.from({ length: 2000 }, () => ids.next());
    };
    expect(run()).toEqual(run());
  });

  it('take the random bytes of 1000 ids from one call', () => {
    let calls = 0;
    const ids = createIds(manualClock(), (size) => {
      calls++;
      return new Uint8Array(size);
    });
    for (let made = 0; made < 1000; made++) ids.next();
    expect(calls).toBe(1);
  });
});

describe('derived ids', () => {
  it('are the same in every version of the software', () => {
    const key = Uint8Array.from({ length: 32 }, (_, index) => index);
    expect(createIds(manualClock()).derived(key, 'shared', 'anonymous', 'createOrder', 'my-key')).toBe(
      '0abed157-2712-82c5-a4e3-889a2c83aa56',
    );
  });
});
