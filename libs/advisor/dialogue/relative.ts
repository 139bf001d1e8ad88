import { SIZES } from '../../domain/pets/pet.events.js';
import { minorUnits } from '../../domain/money.js';
import type { CataloguePet } from '../catalogue.js';
import { DEFAULT_CURRENCY, mainCurrency } from '../matching/money.js';
import { STAGE_MONTHS } from '../preferences/stages.js';
import { settle, type Preferences } from '../preferences/preferences.js';
import type { Statement } from '../preferences/statement.js';
import type { Slot } from '../words/concept.js';
import type { Sentence } from '../reading/sentence.js';

type Than = Extract<Statement, { about: 'relative' }>['than'];

/** Whether the sentence adds to an earlier preference: "or maybe a cat", "a rabbit too". */
export const isAddition = ({ items }: Sentence): boolean =>
  items.some(({ concept, isNegated }) => concept?.kind === 'addition' && !isNegated);

/** The preference that a comparison states. */
const SLOTS: Readonly<Record<Than, Slot>> = { cheaper: 'budget', younger: 'age', older: 'age', smaller: 'size', larger: 'size' };

/**
 * Applies a comparison with the pets that were shown. "Younger" means younger than each of these pets. If no pet was shown,
 * "younger" means young.
 */
export const relativeTo = (shown: readonly CataloguePet[], than: Than, before: Preferences): Preferences =>
  compared(shown, than, { ...before, settled: settle(before, SLOTS[than]) });

const compared = (shown: readonly CataloguePet[], than: Than, before: Preferences): Preferences => {
  if (than === 'cheaper') return cheaper(shown, before);
  if (than === 'younger')
    return shown.length === 0 ? { ...before, age: STAGE_MONTHS.YOUNG } : { ...before, age: { max: Math.max(0, lowestAge(shown) - 1) } };
  if (than === 'older')
    return shown.length === 0
      ? { ...before, age: STAGE_MONTHS.SENIOR }
      : { ...before, age: { min: Math.max(...shown.map(({ ageMonths }) => ageMonths)) + 1 } };
  const sizes = shown.flatMap(({ size }) => (size ? [SIZES.indexOf(size)] : []));
  if (sizes.length === 0) return { ...before, sizes: than === 'smaller' ? ['SMALL'] : ['LARGE'] };
  // "Smaller" means smaller than the largest pet that was shown. If no such size exists, the sizes do not change.
  const left = SIZES.filter((_, nth) => (than === 'smaller' ? nth < Math.max(...sizes) : nth > Math.min(...sizes)));
  return { ...before, sizes: left.length > 0 ? left : before.sizes };
};

const lowestAge = (shown: readonly CataloguePet[]): number => Math.min(...shown.map(({ ageMonths }) => ageMonths));

/**
 * Limits the budget to less than the lowest price that was shown, and sorts the cheapest pets first. Only prices in the most
 * frequent currency count. If no pet with a price was shown, the budget does not change.
 */
const cheaper = (shown: readonly CataloguePet[], before: Preferences): Preferences => {
  const priced = shown.flatMap(({ price, currency = DEFAULT_CURRENCY }) => {
    const minor = price === undefined ? null : minorUnits(price);
    return minor === null ? [] : [{ minor, currency }];
  });
  const currency = mainCurrency(shown);
  const [first, ...others] = priced.flatMap((one) => (one.currency === currency ? [one.minor] : []));
  if (first === undefined) return { ...before, order: 'cheapest' };
  const lowest = others.reduce((least, minor) => (minor < least ? minor : least), first);
  const cents = (lowest > 0n ? lowest - 1n : 0n).toString().padStart(3, '0');
  return { ...before, order: 'cheapest', budget: { max: `${cents.slice(0, -2)}.${cents.slice(-2)}`, currency } };
};
