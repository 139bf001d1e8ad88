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

/** How many prices have each currency. */
export type CurrencyCounts = ReadonlyMap<string, number>;

/** Adds the currencies of the pets' prices to the counts. */
export const currencyCounts = (
  pets: readonly CataloguePet[],
  before: CurrencyCounts = new Map([[DEFAULT_CURRENCY, 0]]),
): CurrencyCounts => {
  const counts = new Map(before);
  for (const { price, currency = DEFAULT_CURRENCY } of pets) if (price !== undefined) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return counts;
};

/**
 * Returns the most frequent currency. Among equally frequent currencies, it prefers the default currency, then the currency
 * that was counted first.
 */
export const mostFrequent = (counts: CurrencyCounts): string => [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most))[0];

/** Returns the most frequent currency of the prices of the pets. */
export const mainCurrency = (pets: readonly CataloguePet[]): string => mostFrequent(currencyCounts(pets));
