import { spacedWords, type Item } from '../reading/token.js';
import { textOf, type Sentence } from '../reading/sentence.js';
import { isNumeric, unitAfter, countOf } from '../preferences/number-context.js';
import { settle, type AgeRange, type Preferences } from '../preferences/preferences.js';
import { isAboutAnotherAnimal, roleAt } from '../preferences/roles.js';
import { lossIn } from '../reading/loss.js';
import { animalOf, isAnimal } from './own-animal.js';

const COMPANION = /^(friend|friends|companion|companions|buddy|pal|playmate|mate|company|sibling|sister|brother|partner|bestie)$/;
const OWNER = /^(him|her|them|it|my|our|my other|our other|the other)$/;
/** The maximum distance in items between "friend" and the animal that it is for. */
const REACH = 6;

/** Whether a sentence looks for company for an animal: "a friend for our beagle", but not "a friend for my kids". */
export const isForOwnAnimal = ({ items }: Sentence): boolean =>
  items.some(({ text }, at) => COMPANION.test(text) && (isForOwner(items, at) || isGiven(items, at) || isNeeded(items, at))) &&
  !items.some(({ concept }) => concept?.kind === 'kids');

const isForOwner = (items: readonly Item[], at: number): boolean => {
  const after = items.slice(at + 1, at + 1 + REACH);
  const to = after.findIndex(({ text }) => /^(for|to|of)$/.test(text));
  return to >= 0 && after.slice(to + 1).some(({ text }) => OWNER.test(text));
};

/** "Find her a friend." */
const isGiven = (items: readonly Item[], at: number): boolean =>
  items.slice(Math.max(0, at - 3), at).some(({ text }) => /^(him|her|them|it)$/.test(text)) &&
  items.slice(Math.max(0, at - 5), at).some(({ concept, text }) => concept?.kind === 'want' || /^(give|find|get|bring)/.test(text));

/** "Our lab needs a playmate." */
const isNeeded = (items: readonly Item[], at: number): boolean =>
  items.slice(Math.max(0, at - 4), at).some(({ text }) => /^(need|needs|wants|deserves)$/.test(text)) &&
  items.slice(0, at).some(({ concept }, animal) => isAnimal(concept) && roleAt(items, animal) === 'owned');

const SIMILAR_AGE =
  / (same|similar|comparable|equal|close|near) (in )?ages? | (of|about|around|near|close to|roughly) (his|her|its|their) (own )?age | (his|her|its|their) age | as old as (him|her|it|my|our|mine) | near in age | close in age | similar in age /;

/** Whether a message wants a pet as old as the customer's own animal. */
export const wantsSimilarAge = (sentences: readonly Sentence[]): boolean => sentences.some(({ items }) => SIMILAR_AGE.test(textOf(items)));

const SUBJECT = /^(he|she|it|they|mine|ours|who|his|hers)$/;
const BETWEEN = /^(is|are|now|about|around|almost|nearly|only|just|both|roughly|turns|turning|turned|maybe|year|years|at|,)$/;

/** Returns the age in months that a message states of the customer's own animal: "he is 3", "my 5 year old cat". */
export const ownAgeIn = (sentences: readonly Sentence[]): number | null => {
  for (const { items } of sentences)
    for (const [at, item] of items.entries()) {
      const count = isNumeric(item) || (unitAfter(items, at) !== undefined && item.text !== 'a') ? countOf(item.text) : null;
      if (count !== null && isOwnAge(items, at)) return Math.round(count * (unitAfter(items, at) ?? 12));
    }
  return null;
};

const isOwnAge = (items: readonly Item[], at: number): boolean => {
  const unit = unitAfter(items, at) !== undefined;
  const next = items.slice(at + 1, at + 4).findIndex(({ concept }) => isAnimal(concept));
  if (unit && next >= 0 && roleAt(items, at + 1 + next) === 'owned') return true;
  if (unit && isAboutAnotherAnimal(items, at)) return true;
  let subject = at - 1;
  while (subject >= 0 && BETWEEN.test(items[subject].text)) subject--;
  const { concept, text } = items[subject] ?? { concept: null, text: '' };
  return SUBJECT.test(text) || (isAnimal(concept) && (roleAt(items, subject) === 'owned' || items[subject - 1]?.text === 'the'));
};

/** The smallest and the largest difference in months at which two ages are similar. */
const [LEAST, MOST] = [3, 24];

/** The ages that are similar to an age: within a third of it. */
export const agesNear = (months: number): AgeRange => {
  const difference = Math.min(MOST, Math.max(LEAST, Math.round(months / 3)));
  return { min: Math.max(0, months - difference), max: months + difference, near: months };
};

/** If the customer has animals of one species, looks for a pet of this species. Small pets, birds and reptiles need their own kind. */
export const likeOwnAnimal = (preferences: Preferences, sentence: Sentence): Preferences => {
  const { ownPets } = preferences;
  if (ownPets.length !== 1) return preferences;
  const kinds = sentence.items.flatMap(({ concept }) =>
    concept?.kind === 'breed' && concept.species === ownPets[0] && /^(OTHER|BIRD|REPTILE)$/.test(concept.species) ? [concept.breed] : [],
  );
  return { ...preferences, species: ownPets, ...(kinds.length > 0 && { breeds: kinds }), settled: settle(preferences, 'species') };
};

/** "My hamster died. Can I get another one?" looks for a hamster. */
export const likeLost = (preferences: Preferences, tokens: Sentence['tokens'], sentences: readonly Sentence[]): Preferences => {
  const [lost] = sentences.flatMap(({ items }) => items.flatMap(({ concept }) => animalOf(concept) ?? []));
  const wantsAnother =
    / (?:another|new one|second one|second cat|second dog|again) /.test(spacedWords(tokens)) &&
    (lossIn(tokens) !== null || / (?:had|used to have|grew up with|kept) /.test(spacedWords(tokens)));
  if (!lost || !wantsAnother || preferences.species.length > 0) return preferences;
  const { species, breed } = lost;
  return { ...preferences, species: [species], breeds: breed ? [breed] : [], settled: settle(preferences, 'species') };
};
