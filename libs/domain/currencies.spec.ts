import { describe, expect, it } from '@jest/globals';
import { CURRENCIES, isCurrency } from './currencies.js';

describe('the currencies', () => {
  it('are 155 codes of three letters, each once, in order', () => {
    expect(CURRENCIES).toHaveLength(155);
    expect(CURRENCIES).toEqual([...new Set(CURRENCIES)].toSorted());
    expect(CURRENCIES.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
  });

  it.each(['USD', 'EUR', 'VED', 'VES', 'SLE', 'XCG', 'ZWG', 'XAF', 'XCD', 'XOF', 'XPF'])('have %s', (code) =>
    expect(isCurrency(code)).toBe(true),
  );

  it.each([
    ['withdrawn', ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'VEF', 'ZWL']],
    ['a fund', ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW']],
    ['a unit of account', ['XAD', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XSU', 'XUA']],
    ['a metal', ['XAG', 'XAU', 'XPD', 'XPT']],
    ['for tests, or none', ['XTS', 'XXX']],
    ['no code', ['', 'usd', 'US', 'USDD']],
  ])('have nothing that is %s', (_, codes) => expect(codes.filter(isCurrency)).toEqual([]));
});
