import type { CataloguePet } from '../catalogue.js';
import type { Item } from '../reading/token.js';
import { textOf, type Sentence } from '../reading/sentence.js';
import { DEFAULT_CURRENCY, mainCurrency } from '../matching/money.js';
import { ORDERS } from '../matching/order.js';
import { joined } from '../wording/criteria.js';
import { factValue, LABELS } from '../wording/facts.js';
import { nameText } from '../wording/pet-facts.js';
import type { Concept, Fact, Order } from '../words/concept.js';

type Than = Extract<Concept, { kind: 'relative' }>['than'] | Extract<Concept, { kind: 'order' }>['by'];

/** Words that limit a superlative to pets that were shown: "the oldest of these". */
const LIMITED = /( of| out of| between| among) (them|these|those|the (two|three|four|ones|first)|both|all (of )?(them|these|those)) /;
/** Words that limit it to all pets that met the criteria, not only to those of a list: "the cheapest of those". */
const LIMITED_TO_ALL = /( of| out of| among) (all (of )?)?(them|those|the ones|all) /;
const isSuperlative = ({ concept, text, isNegated }: Item): boolean =>
  concept?.kind === 'order' && !isNegated && /est\b|^most |^last|last$|first$|recent/.test(text);

/** Whether a sentence chooses among pets that were shown: "Which one is younger?", "What about the cheapest one?" */
export const isChoice = (sentence: Sentence): boolean => isChoiceOfShown(sentence) || startsChoice(sentence);

/** Returns the order of a superlative among all pets that met the criteria: "the cheapest of those". Returns null for others. */
export const superlativeOfAll = ({ items }: Sentence): Order | null => {
  const found = LIMITED_TO_ALL.test(textOf(items)) ? items.find(isSuperlative)?.concept : undefined;
  return found?.kind === 'order' ? found.by : null;
};

/** "Of these, who is the oldest?" */
const isChoiceOfShown = ({ items }: Sentence): boolean => LIMITED.test(textOf(items)) && items.some(isSuperlative);

const startsChoice = ({ tokens, items }: Sentence): boolean =>
  /^(which|who|what|and)$/.test(tokens[0]?.word ?? '') &&
  /^(one|of|is|are|about|the)$/.test(tokens[1]?.word ?? '') &&
  !items.some(({ concept }) => concept?.kind === 'species' || concept?.kind === 'breed' || concept?.kind === 'stage') &&
  // "What about a cheaper one?" and "what about one that is quiet?" look for another pet.
  !tokens.some(
    ({ word }, at) =>
      word === 'about' && /^(a|an|any|some|something|one|older|younger|cheaper|smaller|bigger|larger)$/.test(tokens[at + 1]?.word ?? ''),
  ) &&
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

/** The order of which a choice takes the first pet. */
export const orderOf = (than: Than): Order => {
  switch (than) {
    case 'cheaper':
      return 'cheapest';
    case 'younger':
      return 'youngest';
    case 'older':
      return 'oldest';
    case 'smaller':
      return 'smallest';
    case 'larger':
      return 'largest';
    default:
      return than;
  }
};

/** For each order: the fact that it compares, and what the first of two pets and of more pets is. */
const FIRST: Readonly<Record<Order, readonly [fact: Fact, ofTwo: string, ofMore: string]>> = {
  cheapest: ['price', 'the cheaper', 'the cheapest'],
  dearest: ['price', 'the more expensive', 'the most expensive'],
  youngest: ['age', 'the younger', 'the youngest'],
  oldest: ['age', 'the older', 'the oldest'],
  newest: ['arrival', 'the newer', 'the newest'],
  longest: ['arrival', 'the longer resident', 'the longest resident'],
  smallest: ['size', 'the smaller', 'the smallest'],
  largest: ['size', 'the larger', 'the largest'],
};

/** Returns the fact that a choice compares. */
export const factOfChoice = (than: Than): Fact => FIRST[orderOf(than)][0];

/** Returns for example "the oldest". */
export const firstText = (order: Order, isOfTwo = false): string => FIRST[order][isOfTwo ? 1 : 2];

const STATES: Readonly<Partial<Record<Fact, (pet: CataloguePet) => boolean>>> = {
  price: ({ price }) => price !== undefined,
  size: ({ size }) => size !== undefined,
  arrival: ({ createdAt }) => createdAt !== undefined,
};

/**
 * Returns the first of the pets by a choice. Returns null if two pets share the first place, if the catalogue does not state the
 * fact of each pet, or if prices have several currencies.
 */
export const firstBy = (pets: readonly CataloguePet[], than: Than): CataloguePet | null => {
  if (pets.length < 2) return null;
  const { compare } = ORDERS[orderOf(than)];
  const fact = factOfChoice(than);
  const isStated = STATES[fact];
  if (isStated && !pets.every(isStated)) return null;
  if (fact === 'price' && !pets.every(({ currency = DEFAULT_CURRENCY }) => currency === mainCurrency(pets))) return null;
  const [first, second] = pets.toSorted(compare);
  return compare(first, second) === 0 ? null : first;
};

/** The pets that share the first place by a choice. Empty if the choice cannot be made. */
const sharingFirst = (pets: readonly CataloguePet[], than: Than): readonly CataloguePet[] => {
  const one = pets.toSorted(ORDERS[orderOf(than)].compare)[0];
  const same = pets.filter((pet) => ORDERS[orderOf(than)].compare(one, pet) === 0);
  const isStated = STATES[factOfChoice(than)];
  return same.length > 1 && pets.every((pet) => isStated === undefined || isStated(pet)) ? same : [];
};

/** Returns for example "Toby is the youngest of them." or "Toby is the younger of the two.", also if several share the place. */
export const chosenText = (pets: readonly CataloguePet[], than: Than): string | null => {
  const first = firstBy(pets, than);
  const isOfTwo = pets.length === 2;
  if (first) return `${nameText(first)} is ${firstText(orderOf(than), isOfTwo)} of ${isOfTwo ? 'the two' : 'them'}.`;
  const same = pets.length < 2 ? [] : sharingFirst(pets, than);
  if (same.length === 0) return null;
  const value = factValue(same[0], factOfChoice(than));
  if (same.length === pets.length)
    return `They share the place: ${isOfTwo ? 'both' : 'all'} have the same ${LABELS[factOfChoice(than)]}, ${value}.`;
  return `${joined(same.map(nameText))} are ${firstText(orderOf(than))} of them, with the same ${LABELS[factOfChoice(than)]}: ${value}.`;
};

/** Kinds of phrases that make a sentence with a superlative a search of its own: "show me the oldest dogs". */
const OF_SEARCH = /^(want|animal|pet|unit|bound|currency|ordinal|relative|reset|correction)$/;
/** Kinds of phrases that also do so, unless the sentence asks for a fact: "is the oldest dog vaccinated?" */
const OF_PREFERENCE = /^(species|breed|stage|kids|size|color|gender|health|unrecorded)$/;
/** Words of a search for several pets, or for any pet. */
const OTHERS = /^(pets?|animals?|you|your|u|ur|arrivals?)$/;
const ASKS_FACT = /^(is|does|has|was|how|and is|when)$/;

/**
 * Returns the order of a superlative that asks for one pet of the whole catalogue, for example in "how much is the cheapest one?"
 * The preferences of the conversation still apply. Returns null for a search, and for a choice among pets that were shown.
 */
export const superlativeOf = (sentence: Sentence): Order | null => {
  const { items, tokens } = sentence;
  const found = items.find(isSuperlative)?.concept;
  if (found?.kind !== 'order' || LIMITED.test(textOf(items))) return null;
  const asksFact = ASKS_FACT.test(tokens[0]?.word ?? '');
  if (!asksFact && tokens.some(({ word }, at) => OTHERS.test(word) && tokens[at - 1]?.word !== 'with')) return null;
  const isSearch = items.some(
    ({ concept, text }) =>
      OF_SEARCH.test(concept?.kind ?? '') ||
      (!asksFact && OF_PREFERENCE.test(concept?.kind ?? '')) ||
      (concept?.kind === 'query' && !/^(which|what about|how about|available)$/.test(text)) ||
      (concept?.kind === 'own' && !/^has$/.test(text)),
  );
  return isSearch ? null : found.by;
};
