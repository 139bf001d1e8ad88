import type { Preferences } from '../preferences/preferences.js';
import type { Slot } from '../words/concept.js';
import type { Choose } from './part.js';

/** The order in which the advisor asks for missing preferences. */
const ORDER = ['species', 'children', 'budget', 'age', 'size'] as const satisfies readonly Slot[];
type Asked = (typeof ORDER)[number];

/** The words of the questions match the patterns in dialogue/dialogue.ts, by which the advisor recognises its own questions. */
const QUESTIONS: Readonly<Record<Asked, readonly [string, string]>> = {
  species: [
    'Which kind of pet would you like: a dog, a cat, a rabbit, a bird, a reptile or another small pet?',
    'What kind of pet are you looking for?',
  ],
  children: ['Will children live with the pet?', 'Do children live in your home?'],
  budget: ['What is your budget?', 'How much can you spend: what is your budget?'],
  age: ['Which age do you prefer: a young animal, an adult or a senior?', 'Do you prefer a young age, an adult or a senior?'],
  size: ['Which size do you prefer: small, medium or large?', 'Do you have a preference for the size?'],
};

/** Asks for the age of the customer's animal. The new pet must have a similar age. */
export const OWN_AGE_QUESTION = 'How old is your animal?';

/** Asks what causes an allergy, so that a search can leave it out. */
export const ALLERGY_QUESTION = 'Which animals cause the symptoms? I leave them out. Reptiles have neither fur nor feathers.';

/**
 * Returns a question for the first missing preference, or null if none is missing. A preference in `askedFor` is skipped, so
 * that no question is repeated.
 */
export const nextQuestion = (
  { settled, notSpecies, aspects, species, order }: Preferences,
  askedFor: readonly Slot[],
  choose: Choose,
): string | null => {
  // An old person who tells of no children has none at home.
  const isNeeded = (one: Asked): boolean => {
    if (one === 'budget') return order !== 'cheapest';
    // Birds and reptiles are to watch, with or without children.
    const isToWatch = species.length > 0 && species.every((kind) => kind === 'BIRD' || kind === 'REPTILE');
    return one !== 'children' || !(aspects.includes('senior') || isToWatch);
  };
  const slot = ORDER.find((one) => !settled.includes(one) && !askedFor.includes(one) && isNeeded(one));
  // The list of all species would offer those that the customer has ruled out.
  if (slot === 'species' && notSpecies.length > 0) return QUESTIONS.species[1];
  return slot ? choose(`ask ${slot}`, QUESTIONS[slot]) : null;
};
