import type { CataloguePet } from '../catalogue.js';
import type { Sentence } from '../reading/sentence.js';
import { mainCurrency, DEFAULT_CURRENCY, byPrice } from '../matching/money.js';
import { nameText } from '../wording/pet-facts.js';
import type { Concept, Fact } from '../words/concept.js';

type Than = Extract<Concept, { kind: 'relative' }>['than'] | Extract<Concept, { kind: 'order' }>['by'];

/** Whether a sentence chooses among pets that were shown: "Which one is younger?", "What about the cheapest one?" */
export const isChoice = ({ tokens, items }: Sentence): boolean =>
  /^(which|who|what|and)$/.test(tokens[0]?.word ?? '') &&
  /^(one|of|is|are|about|the)$/.test(tokens[1]?.word ?? '') &&
  !items.some(({ concept }) => concept?.kind === 'species' || concept?.kind === 'breed' || concept?.kind === 'stage') &&
  // "What about a cheaper one?" looks for another pet.
  !tokens.some(({ word }, at) => word === 'about' && /^(a|an|any|some|something)$/.test(tokens[at + 1]?.word ?? '')) &&
  !tokens.some(({ word }) => word === 'you' || word === 'your');

/** Returns the criterion of a phrase such as "younger" or "the cheapest", or null. */
export const thanOf = (concept: Concept | null): Than | null => {
  if (concept?.kind === 'relative') return concept.than;
  return concept?.kind === 'order' ? concept.by : null;
};

/** Returns the criterion by which a sentence chooses among pets, for example `younger`. Returns null if no sentence chooses. */
export const choiceBy = (sentences: readonly Sentence[]): Than | null => {
  for (const { items } of sentences.filter(isChoice))
    for (const { concept } of items) {
      const than = thanOf(concept);
      if (than) return than;
    }
  return null;
};

/** Returns the fact that a choice compares. */
export const factOfChoice = (than: Than): Fact => {
  if (than === 'cheaper' || than === 'cheapest' || than === 'dearest') return 'price';
  return than === 'smaller' || than === 'larger' ? 'size' : 'age';
};

const ORDERS: Readonly<Partial<Record<Than, (one: CataloguePet, other: CataloguePet) => number>>> = {
  cheaper: byPrice,
  cheapest: byPrice,
  younger: (one, other) => one.ageMonths - other.ageMonths,
  youngest: (one, other) => one.ageMonths - other.ageMonths,
  older: (one, other) => other.ageMonths - one.ageMonths,
  oldest: (one, other) => other.ageMonths - one.ageMonths,
};

/**
 * Returns the first of the pets by a choice. Returns null if two pets share the first place, or if prices are missing or have
 * several currencies. Always returns null for a choice by size and for `dearest`.
 */
export const firstBy = (pets: readonly CataloguePet[], than: Than): CataloguePet | null => {
  const order = ORDERS[than];
  if (!order || pets.length < 2) return null;
  const isComparable = pets.every(({ price, currency = DEFAULT_CURRENCY }) => price !== undefined && currency === mainCurrency(pets));
  if (factOfChoice(than) === 'price' && !isComparable) return null;
  const [first, second] = pets.toSorted(order);
  return order(first, second) === 0 ? null : first;
};

/** Returns for example "Toby is the youngest of them." or "Toby is the younger of the two.", and null if `firstBy` does. */
export const chosenText = (pets: readonly CataloguePet[], than: Than): string | null => {
  const first = firstBy(pets, than);
  if (!first) return null;
  const word = factOfChoice(than) === 'price' ? 'cheap' : than.startsWith('young') ? 'young' : 'old';
  return `${nameText(first)} is the ${pets.length === 2 ? `${word}er of the two` : `${word}est of them`}.`;
};
