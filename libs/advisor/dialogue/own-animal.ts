import type { Species } from '../../domain/pets/pet.events.js';
import type { Sentence } from '../reading/sentence.js';
import { isReported, roleAt } from '../preferences/roles.js';
import type { Concept, Kind } from '../words/concept.js';

const SEARCHING =
  /^(want|would like|i'd like|we'd like|looking for|look for|show|show me|recommend|suggest|search|searching for|find|adopt|adopting|buy|buying|interested in|after|prefer|hoping for|considering|thinking of|thinking about|seeking|choose)$/;
/** Kinds of phrases that show that a message looks for a pet. */
const OF_SEARCH: ReadonlySet<Kind> = new Set<Kind>(['query', 'order', 'relative', 'currency', 'more', 'pet', 'reset']);
const FRIEND = /^(friend|companion|buddy|playmate|mate|sibling)$/;

export const isAnimal = (concept: Concept | null): boolean =>
  concept?.kind === 'species' || concept?.kind === 'breed' || (concept?.kind === 'stage' && concept.species !== undefined);

/** An animal that a message names: its species, and its breed if it names one. */
export type Animal = { readonly species: Species; readonly breed: string | undefined };

export const animalOf = (concept: Concept | null): Animal | null =>
  (concept?.kind === 'species' || concept?.kind === 'breed' || concept?.kind === 'stage') && concept.species
    ? { species: concept.species, breed: concept.kind === 'breed' ? concept.breed : undefined }
    : null;

/** Whether the animal at a position is one of the customer: "my puppy", "puppy keeps biting me". */
export const isOwnedAt = (items: Sentence['items'], at: number): boolean =>
  isAnimal(items[at].concept) &&
  roleAt(items, at) === 'owned' &&
  (isReported(items, at) ||
    /^(my|our)/.test(items.slice(Math.max(0, at - 3), at).find((item) => item.concept?.kind === 'own')?.text ?? ''));

/** Whether the sentence names an animal of the customer with "my" or "our". */
export const namesOwnAnimal = ({ items }: Sentence): boolean => items.some((_, at) => isOwnedAt(items, at));

const ownsAnimal = ({ items }: Sentence): boolean => items.some(({ concept }, at) => isAnimal(concept) && roleAt(items, at) === 'owned');

/**
 * Whether a message is about the customer's own animal and does not look for a pet (contract 40.5). `isSearching` means that
 * the advisor has already put a question about the new pet. In that case,
 * only "my" or "our" shows that the customer owns an animal.
 *
 * A message about children, or one such as "no cats", describes the home of the new pet. It counts as a message about the
 * customer's own animal only if it has "my" or "our" and `isSearching` is false.
 */
export const isAboutOwnAnimal = (sentences: readonly Sentence[], isSearching: boolean): boolean => {
  const isNamed = sentences.some(namesOwnAnimal);
  if (!isNamed && (isSearching || !sentences.some(ownsAnimal))) return false;
  if (sentences.some(looksForPet)) return false;
  const isAboutHome = sentences.some(({ items }) =>
    items.some(({ concept, isNegated }) => concept?.kind === 'kids' || (isAnimal(concept) && isNegated)),
  );
  return !(isAboutHome && (isSearching || !isNamed));
};

/** "I need a pet" looks for one, "how much room does a hamster need?" does not. */
export const needsPet = (items: Sentence['items'], at: number): boolean =>
  items[at].text === 'need' &&
  items.slice(at + 1, at + 5).some((item) => isAnimal(item.concept) || /^(pet|animal)$/.test(item.text)) &&
  /^(a|an|some|another)$/.test(items[at + 1]?.text ?? '');

const looksForPet = ({ items }: Sentence): boolean =>
  items.some(
    ({ concept, text, isNegated }, at) =>
      OF_SEARCH.has(concept?.kind ?? 'other') ||
      (concept?.kind === 'want' && (SEARCHING.test(text) || needsPet(items, at))) ||
      (FRIEND.test(text) && items.slice(0, at).some((item) => item.concept?.kind === 'want')) ||
      (isAnimal(concept) && !isNegated && roleAt(items, at) === 'wanted'),
  );
