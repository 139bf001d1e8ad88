import { describe, expect, it } from '@jest/globals';
import { RememberedTotals } from './remembered-totals.js';

const counting = () => {
  let commands = 0;
  return async (): Promise<number> => ++commands;
};

describe('totals', () => {
  it('are worked out once while nothing has changed, also by those who ask at once', async () => {
    const totals = new RememberedTotals();
    const work = counting();
    expect(await Promise.all([totals.of(1, 'cats', work), totals.of(1, 'cats', work), totals.of(1, 'dogs', work)])).toEqual([1, 1, 2]);
    expect(await totals.of(1, 'cats', work)).toBe(1);
  });

  it('are worked out again once something was seen to have changed', async () => {
    const totals = new RememberedTotals();
    const work = counting();
    await totals.of(1, 'cats', work);
    expect([await totals.of(2, 'cats', work), await totals.of(2, 'cats', work)]).toEqual([2, 2]);
  });

  it('are worked out again after a write of this process', async () => {
    const totals = new RememberedTotals();
    const work = counting();
    await totals.of(1, 'cats', work);
    totals.forget();
    expect(await totals.of(1, 'cats', work)).toBe(2);
  });

  it('that could not be worked out are asked for again', async () => {
    const totals = new RememberedTotals();
    await expect(totals.of(1, 'cats', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await totals.of(1, 'cats', async () => 3)).toBe(3);
  });

  it('are so many at the most', async () => {
    const totals = new RememberedTotals();
    const work = counting();
    for (let name = 0; name < 2_001; name++) await totals.of(1, `${name}`, work);
    expect(await totals.of(1, '0', work)).toBe(2_002);
    expect(await totals.of(1, '2000', work)).toBe(2_001);
  });
});
