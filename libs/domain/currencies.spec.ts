import { describe, expect, it } from '@jest/globals';
import { CURRENCIES, hasDecimals, isCurrency } from './currencies.js';

/** Proves rows of contract 42.3. */
describe('the currencies', () => {
  it('are 155 codes of three letters, each once, in order', () => {
    expect(CURRENCIES).toHaveLength(155);
    expect(CURRENCIES).toEqual([...new Set(CURRENCIES)].toSorted());
    expect(CURRENCIES.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
  });

  it.each(['USD', 'EUR', 'VED', 'VES', 'SLE', 'XCG', 'ZWG', 'XAF', 'XCD', 'XOF', 'XPF'])('include %s', (code) =>
    expect(isCurrency(code)).toBe(true),
  );

  it.each([
    ['withdrawn codes', ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'VEF', 'ZWL']],
    ['funds', ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW']],
    ['units of account', ['XAD', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XSU', 'XUA']],
    ['metals', ['XAG', 'XAU', 'XPD', 'XPT']],
    ['the codes for tests and for no currency', ['XTS', 'XXX']],
    ['texts that are not a code', ['', 'usd', 'US', 'USDD']],
  ])('exclude %s', (_, codes) => expect(codes.filter(isCurrency)).toEqual([]));

  it('have decimals, except those without a minor unit in ISO 4217', () => {
    const without = ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'];
    expect(CURRENCIES.filter((code) => !hasDecimals(code))).toEqual(without);
  });
});
