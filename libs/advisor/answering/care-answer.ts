import type { Species } from '../../domain/pets/pet.events.js';
import { isAboutChildren, needsGuide, topicsOf } from '../dialogue/care-question.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import type { Sentence } from '../reading/sentence.js';
import { sectionOf, sectionText } from '../guide/care.js';
import { foodAnswer } from '../guide/foods.js';
import { textPart, type Part, type Style } from '../wording/part.js';

const WHICH_ANIMAL =
  'My guide has a section for each species. Which animal do you mean: a dog, a cat, a rabbit, a bird, a reptile or another small pet?';
const NOT_IN_GUIDE = 'My guide does not answer that. Please ask a vet or the staff.';
const MOST_SECTIONS = 2;

/** Answers questions about the care of animals from the guide. */
export const careParts = (dialogue: Dialogue, { isShort }: Style): readonly Part[] => {
  const questions = dialogue.sentences.filter(needsGuide);
  if (questions.length === 0) return [];
  const species = subjectOf(dialogue, questions);
  const food = species && foodAnswer(questions, species);
  if (food) return [textPart(food)];
  const topics = new Set(
    questions.flatMap((question) => [...(isAboutChildren(question) ? (['children'] as const) : []), ...topicsOf(question)]),
  );
  const found = [...topics].flatMap((topic) => sectionOf(topic, species) ?? []).slice(0, MOST_SECTIONS);
  if (found.length > 0) return found.map((section) => textPart(sectionText(section, isShort)));
  return [textPart(species === null ? WHICH_ANIMAL : NOT_IN_GUIDE)];
};

/**
 * Returns the species that care questions are about, or null if it is unknown. What the message names or refers to counts
 * first, then the pets that were shown, and last the preferences.
 */
const subjectOf = ({ sentences, referred, preferences, shown }: Dialogue, questions: readonly Sentence[]): Species | null => {
  const named = [...questions, ...sentences].flatMap(({ items }) =>
    items.flatMap(({ concept }) => (concept && 'species' in concept && concept.species) || []),
  );
  const pets = [referred.named, referred.pointed, shown].find((some) => some.length > 0) ?? [];
  const [first, ...others] = new Set(pets.map(({ species }) => species));
  // "What does it eat?" after pets of several species could mean each of them.
  const shared = others.length > 0 ? undefined : first;
  return named[0] ?? shared ?? preferences.species[0] ?? preferences.ownPets[0] ?? null;
};
