import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { cacheForASecond } from './cache-for-a-second.js';

const given = () => {
  const clock = manualClock();
  const ends: (() => void)[] = [];
  let looks = 0;
  const look = (): Promise<number> => {
    const nth = ++looks;
    return new Promise((resolve) => ends.push(() => resolve(nth)));
  };
  return { clock, ask: cacheForASecond(clock, look), looks: () => looks, end: () => ends.splice(0).forEach((resolve) => resolve()) };
};

describe('what is looked at once a second', () => {
  it('is the same for all who ask meanwhile, also before there is an answer', async () => {
    const { ask, looks, end, clock } = given();
    const asked = [ask(), ask()];
    end();
    clock.advance(999);
    expect(await Promise.all([...asked, ask()])).toEqual([1, 1, 1]);
    expect(looks()).toBe(1);
  });

  it('is looked at anew after that', async () => {
    const { ask, end, clock } = given();
    void ask();
    clock.advance(1_000);
    const later = ask();
    end();
    expect(await later).toBe(2);
  });

  it('is looked at anew when the clock was set back', async () => {
    const { ask, looks, clock } = given();
    void ask();
    clock.set(clock.now().getTime() - 60_000);
    void ask();
    expect(looks()).toBe(2);
  });

  it('is looked at again a second after a look that failed', async () => {
    const clock = manualClock();
    let down = true;
    const ask = cacheForASecond(clock, () => (down ? Promise.reject(new Error('down')) : Promise.resolve('up')));
    await expect(ask()).rejects.toThrow('down');
    down = false;
    await expect(ask()).rejects.toThrow('down');
    clock.advance(1_000);
    expect(await ask()).toBe('up');
  });
});
