import { spacedWords, type Item } from '../reading/token.js';
import { multiplyAmount } from '../../domain/money.js';
import type { Sentence } from '../reading/sentence.js';
import type { Slot } from '../words/concept.js';
import { boundOf, currencyOf, isNumeric, rangeOf, unitAfter, amountOf, countOf, type Bound } from './number-context.js';
import { isAboutAnotherAnimal } from './roles.js';
import { isAgeOfPerson } from '../suiting/people.js';
import type { AgeRange, Budget } from './preferences.js';

/** The ages and amounts that a sentence states. */
export type Measures = { readonly age: AgeRange | null; readonly budget: Budget | null };

export const NO_MEASURES: Measures = { age: null, budget: null };

const MONEY_WORDS = /^(budget|price|money|spend|pay|cost|afford|price range|fee|adoption fee|priced|prices|costs)$/;
/**
 * The highest number without a unit that is read as an age in years. Such a number must follow "younger than" or "older
 * than", or answer a question about the age.
 */
const MOST_YEARS = 30;
/** The lowest number with a bound that is read as money although it has no unit and no currency: "no more than 30". */
const LEAST_AMOUNT = 20;
/** Kinds of phrases that a number can count: "two kids", "3 dogs". A number before such a phrase is no amount of money. */
const COUNTED = /^(kids|species|breed|pet|animal|stage|unrecorded)$/;
/** Units of what is no money: "up to 45 minutes", "a 30 m2 flat". */
const OTHER_UNITS =
  /^(minutes?|mins?|hours?|hrs?|h|days?|nights?|times|km|kms|k|kilometers?|kilometres?|miles?|mi|yards?|acres?|mph|m|m2|sqm|square|cm|centimet(?:er|re)s?|met(?:er|re)s?|feet|foot|ft|inch|inches|kg|kgs|kilos?|lbs?|pounds?|grams?|g|litres?|liters?|gallons?|degrees|percent|%|people|persons|am|pm|th|st|nd|rd)$/;

/** A noun in the plural. What it counts is no money. */
const COUNTED_NOUN =
  /^(?!plus$|perhaps$|always$|thus$|does$|tops$|as$|is$|has$|was$|this$|yes$|thanks$|less$|pls$|cos$|quids$)[a-z]{3,}[^s]s$/;

/** Words for a price of nothing. "Free to adopt" means that nobody has reserved the pet. */
const FOR_FREE =
  / (?:for free|free of charge|(?:is|are) free(?! to)|free (?:pets?|animals?|dogs?|cats?|kittens?|puppies)|costs? nothing|don't cost anything) /;

/**
 * Reads the ages and amounts of a sentence. `expected` is the slot that the advisor's last question was about: a number
 * without a unit answers that question.
 */
export const measuresOf = ({ items, tokens }: Sentence, expected: Slot | null): Measures => {
  if (FOR_FREE.test(spacedWords(tokens))) return { ...NO_MEASURES, budget: { max: '0.00' } };
  const hasMeasure = items.some((item) => isNumeric(item) || item.concept?.kind === 'unit' || item.concept?.kind === 'bound');
  if (!hasMeasure) return NO_MEASURES;
  const isAboutMoney = expected === 'budget' || items.some(({ text, concept }) => concept?.kind === 'slot' && MONEY_WORDS.test(text));
  return items.reduce<Measures>((measures, item, at) => {
    const age = ageAt(items, at, expected);
    if (age) return { ...measures, age: { ...measures.age, ...age } };
    const isCounted = COUNTED.test(items[at + 1]?.concept?.kind ?? '') || unitAfter(items, at) !== undefined || isMeasured(items, at);
    const budget = isNumeric(item) && !isCounted ? budgetAt(items, at, isAboutMoney) : null;
    return budget ? { ...measures, budget: { ...measures.budget, ...budget } } : measures;
  }, NO_MEASURES);
};

/** Whether a number, or the range that it begins, has a unit that is no money. "10k a day" is one, "1.5k dollars" is money. */
const isMeasured = (items: readonly Item[], at: number): boolean => {
  if (currencyOf(items, at) !== undefined) return false;
  const last = rangeOf(items, at) === 'min' ? at + 2 : at;
  const { text: unit = '', concept = null } = items[last + 1] ?? {};
  // "At most 40 steps" counts steps.
  if (concept === null && COUNTED_NOUN.test(unit)) return true;
  return OTHER_UNITS.test(unit) && (unit !== 'k' || /^(a|per|every|each|runs?)$/.test(items[last + 2]?.text ?? ''));
};

const ageAt = (items: readonly Item[], at: number, expected: Slot | null): AgeRange | null => {
  const count = countOf(items[at].text);
  if (count === null || (/^(a|an)$/.test(items[at].text) && isNumeric(items[at + 1]))) return null;
  const { bound, of } = boundOf(items, at);
  const months = unitAfter(items, at);
  // "Twice a year" is no age, "a year old" and "under a year" are.
  const isVague = /^(a|an)$/.test(items[at].text) && bound === 'exact' && !/old/.test(items[at + 1]?.text ?? '');
  if (months !== undefined && (isVague || isDuration(items, at))) return null;
  if (months !== undefined) return isAboutOthers(items, at) ? null : ageOf(count, months, rangeOf(items, at) ?? bound);
  if (/^(has|have|own|owns|got)$/.test(items[at - 1]?.text ?? '')) return null;
  if (expected !== 'age' && isAgeOfPerson(items, at)) return null;
  const isPlain = isNumeric(items[at]) || (of === 'age' && !/^(a|an|one)$/.test(items[at].text));
  if (!isPlain || count > MOST_YEARS || currencyOf(items, at) !== undefined) return null;
  return of === 'age' || (of === null && expected === 'age') ? ageOf(count, 12, rangeOf(items, at) ?? bound) : null;
};

/** Whether a number and its unit are a time and no age: "6 months a year", "2 weeks ago", "for 12 years". */
const isDuration = (items: readonly Item[], at: number): boolean => {
  // "A pet that lives at most 5 years"
  if (items.slice(Math.max(0, at - 3), at).some(({ text }) => /^(live|lives|living|lifespan)$/.test(text))) return true;
  if (/^(a|each|every)$/.test(items[at].text) && items[at - 1]?.concept?.kind === 'unit') return true;
  const unit = items.findIndex(({ concept }, nth) => nth > at && concept?.kind === 'unit');
  const after = items.slice(unit + 1, unit + 3).map(({ text }) => text);
  return (
    /^(ago|per|every|later|long|away)$/.test(after[0] ?? '') ||
    (/^(a|each|every)$/.test(after[0] ?? '') && items[unit + 2]?.concept?.kind === 'unit') ||
    (/^(for|in|every|last|next|another)$/.test(items[at - 1]?.text ?? '') && !/old|yo$/.test(items[unit]?.text ?? ''))
  );
};

/** Whether an age is that of a person or of the customer's own pet: "my son is 3 years old". */
const isAboutOthers = (items: readonly Item[], at: number): boolean => {
  const before = items.slice(Math.max(0, at - 6), at);
  if (
    isAgeOfPerson(items, at) ||
    items.slice(at + 1, at + 3).some(({ concept }) => concept?.kind === 'kids') ||
    isAboutAnotherAnimal(items, at)
  )
    return true;
  const want = before.findLastIndex(({ concept }) => concept?.kind === 'want');
  const other = before.findLastIndex(
    ({ concept, text }) => concept?.kind === 'kids' || concept?.kind === 'own' || ["i'm", 'am', "we're", 'me'].includes(text),
  );
  return other > want;
};

/**
 * Returns the accepted ages in months. `unit` is the length of the unit in months: 12 for years. Without a maximum or
 * minimum, similar ages are accepted, too: "2 years" is 18 to 35 months, and "5 months" is 4 to 6 months.
 */
const ageOf = (count: number, unit: number, bound: Bound): AgeRange => {
  const months = Math.round(count * unit);
  if (bound === 'max') return { max: months };
  if (bound === 'min') return { min: months };
  return unit >= 12 ? { min: Math.max(0, months - 6), max: months + 11 } : { min: Math.max(0, months - 1), max: months + 1 };
};

/** Whether a number is what the customer can pay: "what can I get for 30", "I only got 50". */
const isOffered = (items: readonly Item[], at: number): boolean =>
  /^(for|only|just|got|have|with)$/.test(items[at - 1]?.text ?? '') && /^(,|and|or|what|but|)$/.test(items[at + 1]?.text ?? '');

const budgetAt = (items: readonly Item[], at: number, isAboutMoney: boolean): Budget | null => {
  const isSmall = Number(countOf(items[at].text) ?? Infinity) < LEAST_AMOUNT;
  const isHad = /^(has|have|own|owns|got)$/.test(items[at - 1]?.text ?? '');
  const currency = currencyOf(items, at);
  // "My sister has 2" counts animals, "I have 200 to spend" counts money.
  if (isHad && currency === undefined && (isSmall || !(isAboutMoney || isOffered(items, at)))) return null;
  const { bound, of } = boundOf(items, at);
  const isLarge = (bound !== 'exact' || rangeOf(items, at) !== null || isOffered(items, at)) && !isSmall;
  if (of === 'age' || !(currency !== undefined || isAboutMoney || of === 'money' || isLarge)) return null;
  const amount = amountOf(items[at].text);
  const scaled = amount !== null && items[at + 1]?.text === 'k' ? multiplyAmount(amount, 1000) : amount;
  if (scaled === null) return null;
  // An amount without a bound, or with "about", is the maximum.
  return { [(rangeOf(items, at) ?? bound) === 'min' ? 'min' : 'max']: scaled, ...(currency !== undefined && { currency }) };
};
