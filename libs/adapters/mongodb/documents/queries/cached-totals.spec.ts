import { describe, expect, it } from '@jest/globals';
import { CachedTotals } from './cached-totals.js';

const counting = () => {
  let commands = 0;
  return async (): Promise<number> => ++commands;
};

describe('totals', () => {
  it('are computed once until something changes, even for concurrent requests', async () => {
    const totals = new CachedTotals();
    const work = counting();
    expect(await Promise.all([totals.of(1, 'cats', work), totals.of(1, 'cats', work), totals.of(1, 'dogs', work)])).toEqual([1, 1, 2]);
    expect(await totals.of(1, 'cats', work)).toBe(1);
  });

  it('are computed again after a change', async () => {
    const totals = new CachedTotals();
    const work = counting();
    await totals.of(1, 'cats', work);
    expect([await totals.of(2, 'cats', work), await totals.of(2, 'cats', work)]).toEqual([2, 2]);
  });

  it('are computed again after a write of this process', async () => {
    const totals = new CachedTotals();
    const work = counting();
    await totals.of(1, 'cats', work);
    totals.clear();
    expect(await totals.of(1, 'cats', work)).toBe(2);
  });

  it('are computed again after a failure', async () => {
    const totals = new CachedTotals();
    await expect(totals.of(1, 'cats', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await totals.of(1, 'cats', async () => 3)).toBe(3);
  });

  it('are limited to 2,000', async () => {
    const totals = new CachedTotals();
    const work = counting();
    for (let name = 0; name < 2_001; name++) await totals.of(1, `${name}`, work);
    expect(await totals.of(1, '0', work)).toBe(2_002);
    expect(await totals.of(1, '2000', work)).toBe(2_001);
  });
});
