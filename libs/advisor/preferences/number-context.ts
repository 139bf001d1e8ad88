import type { Item } from '../reading/token.js';

export type Bound = 'max' | 'min' | 'about' | 'exact';
/** A bound and what it limits. `of` is null if the words could limit an age or an amount, as in "under 5". */
type BoundOf = { readonly bound: Bound; readonly of: 'age' | 'money' | null };

export const isNumeric = (item: Item | undefined): boolean => item !== undefined && /^\d/.test(item.text);

/** What each bound means after a negation. "No dogs older than 5 years" means dogs of at most 5 years. */
const OPPOSITE = { max: 'min', min: 'max', about: 'about' } as const;

/**
 * Whether a bound is negated. Only an animal, or words such as "want", may be between the negation and the bound. If any
 * other phrase is between them, the negation applies to that phrase and not to the bound.
 */
const isUnwanted = (items: readonly Item[], at: number): boolean => {
  const negator = items.slice(0, at).findLastIndex(({ concept }) => concept?.kind === 'negator');
  const between = items.slice(negator + 1, at).filter(({ isNegated }) => isNegated);
  return items[at].isNegated && between.every(({ concept }) => /^(species|breed|stage|want|own|pronoun|slot)$/.test(concept?.kind ?? ''));
};

/** Returns the bound of a number: a phrase before the number ("under 300"), or one after it and its unit ("3 years or older"). */
export const boundOf = (items: readonly Item[], at: number): BoundOf => {
  for (let before = at - 1; before >= Math.max(0, at - 4); before--) {
    const { concept, text } = items[before];
    if (concept?.kind === 'bound')
      return { bound: isUnwanted(items, before) ? OPPOSITE[concept.bound] : concept.bound, of: concept.of ?? null };
    if (text === ',' || isNumeric(items[before])) break;
  }
  for (let after = at + 1; after <= at + 2; after++) {
    const concept = items[after]?.concept;
    if (concept?.kind === 'bound' && /^(or |and |at the |max|tops|ish|at most)/.test(items[after].text))
      return { bound: concept.bound, of: concept.of ?? null };
  }
  return { bound: 'exact', of: null };
};

/**
 * Returns the currency beside a number. If none is there, returns the only currency of the sentence: in "100 to 200 euros",
 * 100 is in euros, too. Returns undefined if the sentence has no currency, or several.
 */
export const currencyOf = (items: readonly Item[], at: number): string | undefined => {
  const beside = [items[at - 1], items[at + 1], ...(items[at + 1]?.text === 'k' ? [items[at + 2]] : [])];
  const [code] = beside.flatMap((near) => (near?.concept?.kind === 'currency' ? [near.concept.code] : []));
  if (code !== undefined) return code;
  const first = items.find(isCurrency)?.concept;
  const isOnly = first?.kind === 'currency' && items.every(({ concept }) => concept?.kind !== 'currency' || concept.code === first.code);
  return isOnly ? first.code : undefined;
};

const isCurrency = ({ concept }: Item): boolean => concept?.kind === 'currency';

/** Returns the months of the unit after a number; undefined without a unit. In "1 to 3 years", both numbers have the unit. */
export const unitAfter = (items: readonly Item[], at: number): number | undefined => {
  for (let after = at + 1; after <= at + 3; after++) {
    const item = items[after];
    if (item?.concept?.kind === 'unit') return item.concept.months;
    if (!item || !(isNumeric(item) || ['and', 'to', '-', 'or'].includes(item.text))) return undefined;
  }
  return undefined;
};

const isSkipped = (item: Item | undefined): boolean => item?.concept?.kind === 'currency' || item?.concept?.kind === 'unit';

/** Returns `min` for the first number of a range, `max` for the second, and null for any other number. */
export const rangeOf = (items: readonly Item[], at: number): 'min' | 'max' | null => {
  const isRange = (text: string | undefined): boolean =>
    text === 'to' || text === '-' || (text === 'and' && items.some((item) => item.text === 'between' || item.text === 'from'));
  const next = isSkipped(items[at + 1]) ? at + 2 : at + 1;
  if (isRange(items[next]?.text) && isNumeric(items[isSkipped(items[next + 1]) ? next + 2 : next + 1])) return 'min';
  const previous = isSkipped(items[at - 1]) ? at - 2 : at - 1;
  const isSecond = isRange(items[previous]?.text) && isNumeric(items[isSkipped(items[previous - 1]) ? previous - 2 : previous - 1]);
  return isSecond ? 'max' : null;
};

const WORDS: Readonly<Record<string, number>> = {
  a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12, fifteen: 15, twenty: 20,
}; // prettier-ignore
const GROUPED = /^\d{1,3}(?:[.,]\d{3})+$/;
const MOST_DIGITS = 10;

/** Returns the value of a number, or of a word for a small number; null for everything else. */
export const countOf = (text: string): number | null => {
  if (Object.hasOwn(WORDS, text)) return WORDS[text] ?? null;
  return /^\d{1,4}(?:[.,]\d)?$/.test(text) ? Number(text.replace(',', '.')) : null;
};

/** Converts a number as people write it, such as `1,500` or `99.5`, to decimal text with two decimals; null for other texts. */
export const amountOf = (text: string): string | null => {
  const whole = GROUPED.test(text) ? text.replaceAll(/[.,]/g, '') : text.replace(/,(?=\d{3}\.)/, '');
  const [, digits, decimals = ''] = /^(\d+)(?:[.,](\d{1,2}))?$/.exec(whole) ?? [];
  if (digits === undefined || digits.length > MOST_DIGITS) return null;
  return `${digits.replace(/^0+(?=\d)/, '')}.${decimals.padEnd(2, '0')}`;
};
