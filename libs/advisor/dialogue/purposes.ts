import type { Sentence } from '../reading/sentence.js';
import { agesOfPeople } from '../suiting/people.js';
import { spacedWords, type Token } from '../reading/token.js';
import { FACT_BOOK, PURPOSE_BOOK } from '../words/books.js';
import type { Fact, Kind, Slot } from '../words/concept.js';

/** Returns the purposes of a message, for example a greeting, a comparison, or the details of a pet. */
export const purposesIn = (tokens: readonly Token[]): ReadonlySet<Kind> => {
  const kinds = new Set<Kind>();
  for (let at = 0; at < tokens.length;) {
    const found = PURPOSE_BOOK(tokens, at);
    if (found) kinds.add(found.concept.kind);
    at += found?.length ?? 1;
  }
  return kinds;
};

/** Words about the looks or the charm of pets, which nobody can look up. */
const OF_TASTE =
  / (?:cutest|prettiest|nicest|loveliest|sweetest|funniest|coolest|best looking|most beautiful|most adorable|most handsome|your favou?rite|which (?:one )?(?:do|would) you like) /;

/** Whether a message asks for a taste: "which one is the cutest". */
export const asksTaste = (tokens: readonly Token[]): boolean => OF_TASTE.test(spacedWords(tokens));

const factsOfSlot = (slot: Slot): readonly Fact[] => {
  if (slot === 'budget') return ['price'];
  return slot === 'age' || slot === 'size' || slot === 'breed' || slot === 'gender' || slot === 'color' ? [slot] : [];
};

/** A question at any place of a sentence: "I saw Luna, is she still available". */
const ASKS_LATER = / (?:is|does|has) (?:he|she|it|they) | how (?:much|old) /;

/**
 * Returns the facts that a message asks for. A sentence is read only if it ends with a question mark, or begins with a word
 * such as "is" or "tell".
 */
export const factsIn = (sentences: readonly Sentence[]): readonly Fact[] => {
  const facts = new Set<Fact>();
  for (const { tokens, items, isQuestion } of sentences) {
    if (
      !isQuestion &&
      !ASKS_LATER.test(spacedWords(tokens)) &&
      !/^(is|does|how|what|are|do|which|tell|and|has|when|can)$/.test(tokens[0]?.word ?? '')
    )
      continue;
    for (let at = 0; at < tokens.length;) {
      const found = FACT_BOOK(tokens, at);
      if (found?.concept.kind === 'fact') facts.add(found.concept.fact);
      at += found?.length ?? 1;
    }
    if (agesOfPeople(items).some((years) => years < 14)) facts.add('children');
    for (const { concept } of items) {
      if (concept?.kind === 'slot') for (const fact of factsOfSlot(concept.slot)) facts.add(fact);
      if (concept?.kind === 'currency') facts.add('price');
      if (concept?.kind === 'kids') facts.add('children');
      if (concept?.kind === 'health') facts.add(concept.field);
      if (concept?.kind === 'unrecorded' && concept.trait === 'temperament') facts.add('description');
    }
  }
  return [...facts];
};
