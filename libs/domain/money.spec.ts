import { describe, expect, it } from '@jest/globals';
import { isSameAmount, minorUnits, multiplyAmount } from './money.js';

describe('the conversion to minor units', () => {
  it.each([
    ['0.00', 0n],
    ['0.07', 7n],
    ['90.00', 9_000n],
    ['9999999999.99', 999_999_999_999n],
  ])('converts %s to %s', (amount, minor) => expect(minorUnits(amount)).toBe(minor));

  it.each(['', '90', '90.0', '90.000', '.90', '-1.00', '1e3', '1,00', ' 1.00', '1.00\n', '٣.٠٠'])('returns null for %j', (amount) =>
    expect(minorUnits(amount)).toBeNull(),
  );
});

describe('the multiplication of amounts', () => {
  it.each([
    ['90.00', 1, '90.00'],
    ['19.99', 3, '59.97'],
    ['0.01', 7, '0.07'],
    ['0.10', 100, '10.00'],
    ['0.00', 5, '0.00'],
    ['9999999999.99', 100, '999999999999.00'],
  ])('computes %s x %i = %s', (amount, times, product) => expect(multiplyAmount(amount, times)).toBe(product));

  it('returns null for text that is not an amount', () => expect(multiplyAmount('a lot', 2)).toBeNull());
});

describe('the comparison of amounts', () => {
  it('ignores leading zeros', () => expect(isSameAmount('090.00', '90.00')).toBe(true));
  it('distinguishes amounts that differ by a cent', () => expect(isSameAmount('90.00', '90.01')).toBe(false));
  it('does not accept minor units as an amount', () => expect(isSameAmount('9000', '90.00')).toBe(false));
  it('returns false for two texts that are not amounts', () => expect(isSameAmount('a lot', 'a lot')).toBe(false));
});
