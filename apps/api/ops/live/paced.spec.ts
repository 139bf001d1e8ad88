import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../../../libs/eventsourcing/testing/manual-clock.js';
import { paced } from './paced.js';

const PACE = { least: 5_000, share: 0.05, patience: 2_000 };

/** A source whose reads take so many milliseconds, and that counts them. */
const openSource = (milliseconds: number) => {
  const clock = manualClock();
  let reads = 0;
  const read = paced(
    async () => {
      if (++reads === 3) throw new Error('a server is away');
      await new Promise<void>((resolve) => clock.after(milliseconds, resolve));
      return reads;
    },
    clock,
    PACE,
  );
  const readWithin = async (waited: number): Promise<number | null> => {
    const reading = read();
    for (let passed = 0; passed <= waited; passed += 100) {
      await Promise.resolve();
      clock.advance(100);
    }
    return reading;
  };
  return { clock, readWithin };
};

describe('a value that is watched', () => {
  it('is read again after five seconds, and is unknown after a failed read', async () => {
    const { clock, readWithin } = openSource(0);
    expect([await readWithin(0), await readWithin(0)]).toEqual([1, 1]);
    clock.advance(5_000);
    expect(await readWithin(0)).toBe(2);
    clock.advance(5_000);
    expect(await readWithin(0)).toBeNull();
    clock.advance(5_000);
    expect(await readWithin(0)).toBe(4);
  });

  it('is read less often if that takes long: here for a twentieth of the time', async () => {
    const { clock, readWithin } = openSource(1_000);
    expect(await readWithin(1_500)).toBe(1);
    clock.advance(18_000);
    expect(await readWithin(1_500)).toBe(1);
    clock.advance(10_000);
    expect(await readWithin(1_500)).toBe(2);
  });

  it('is the value before while a read takes too long', async () => {
    const { clock, readWithin } = openSource(4_000);
    expect(await readWithin(2_100)).toBeNull();
    clock.advance(2_000);
    expect(await readWithin(0)).toBe(1);
  });
});
