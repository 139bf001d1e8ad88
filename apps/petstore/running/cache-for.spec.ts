import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { cacheForASecond } from './cache-for.js';

const given = () => {
  const clock = manualClock();
  const ends: (() => void)[] = [];
  let reads = 0;
  const readNumber = (): Promise<number> => {
    const number = ++reads;
    return new Promise((resolve) => ends.push(() => resolve(number)));
  };
  return { clock, get: cacheForASecond(clock, readNumber), reads: () => reads, end: () => ends.splice(0).forEach((end) => end()) };
};

describe('cacheForASecond', () => {
  it('shares one read among all calls within a second, even before the read has finished', async () => {
    const { get, reads, end, clock } = given();
    const early = [get(), get()];
    end();
    clock.advance(999);
    expect(await Promise.all([...early, get()])).toEqual([1, 1, 1]);
    expect(reads()).toBe(1);
  });

  it('reads again after a second', async () => {
    const { get, end, clock } = given();
    void get();
    clock.advance(1_000);
    const later = get();
    end();
    expect(await later).toBe(2);
  });

  it('reads again a second later although the clock was set back', async () => {
    const { get, reads, clock } = given();
    void get();
    clock.set(clock.now().getTime() - 60_000);
    clock.advance(1_000);
    void get();
    expect(reads()).toBe(2);
  });

  it('reads again a second after a failed read', async () => {
    const clock = manualClock();
    let down = true;
    const get = cacheForASecond(clock, () => (down ? Promise.reject(new Error('down')) : Promise.resolve('up')));
    await expect(get()).rejects.toThrow('down');
    down = false;
    await expect(get()).rejects.toThrow('down');
    clock.advance(1_000);
    expect(await get()).toBe('up');
  });
});
