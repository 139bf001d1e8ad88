import { minorUnits } from '../../domain/money.js';
import type { CataloguePet } from '../catalogue.js';
import type { Budget } from '../preferences/preferences.js';

/** How a price relates to a budget. Prices in another currency are not compared (contract 40.4). */
export type PriceFit = 'fits' | 'too much' | 'too little' | 'other currency' | 'no price';

/** The currency of a budget or a price that names none (contract 40.4). */
export const DEFAULT_CURRENCY = 'USD';

export const priceFit = ({ price, currency = DEFAULT_CURRENCY }: CataloguePet, { min, max, currency: wanted }: Budget): PriceFit => {
  if (min === undefined && max === undefined) return 'fits';
  const minor = price === undefined ? null : minorUnits(price);
  if (minor === null) return 'no price';
  if (currency !== (wanted ?? DEFAULT_CURRENCY)) return 'other currency';
  if (max !== undefined && minor > (minorUnits(max) ?? minor)) return 'too much';
  return min !== undefined && minor < (minorUnits(min) ?? minor) ? 'too little' : 'fits';
};

/** Orders pets by currency, then by price, ascending. Pets without a price come last. */
export const byPrice = (one: CataloguePet, other: CataloguePet): number => {
  const [first, second] = [one, other].map(({ price }) => (price === undefined ? null : minorUnits(price)));
  if (first === null || second === null) return first === second ? 0 : first === null ? 1 : -1;
  const [left = DEFAULT_CURRENCY, right = DEFAULT_CURRENCY] = [one.currency, other.currency];
  if (left !== right) return left < right ? -1 : 1;
  return first < second ? -1 : first > second ? 1 : 0;
};

/**
 * Returns the most frequent currency of the prices. Among equally frequent currencies, it prefers the default currency, then
 * the currency that occurs first.
 */
export const mainCurrency = (pets: readonly CataloguePet[]): string => {
  const counts = new Map<string, number>([[DEFAULT_CURRENCY, 0]]);
  for (const { price, currency = DEFAULT_CURRENCY } of pets) if (price !== undefined) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most))[0];
};
