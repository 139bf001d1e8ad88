import type { Species } from '../../domain/pets/pet.events.js';
import { isAboutChildren, needsGuide, topicsOf } from '../dialogue/care-question.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import type { Sentence } from '../reading/sentence.js';
import { sectionFor, sectionText } from '../guide/care.js';
import { kindNamed, type Kind } from '../kinds/kind.js';
import { namedAspects } from '../suiting/aspects-in.js';
import { kindsOf } from '../suiting/fitness.js';
import { joined } from '../wording/criteria.js';
import { animalOf } from '../dialogue/own-animal.js';
import { foodAnswer } from '../guide/foods.js';
import { textPart, type Part, type Style } from '../wording/part.js';

const WHICH_ANIMAL =
  'My guide has a section for each species. Which animal do you mean: a dog, a cat, a rabbit, a bird, a reptile or another small pet?';
const NOT_IN_GUIDE = 'My guide does not answer that. Please ask a vet or the staff.';
const MOST_SECTIONS = 2;

/** The animal that a question is about. */
type Subject = { readonly species: Species | null; readonly kind: Kind | null };

/** Answers questions about the care of animals from the guide. */
export const careParts = (dialogue: Dialogue, { isShort }: Style): readonly Part[] => {
  const questions = dialogue.sentences.filter(needsGuide);
  if (questions.length === 0) return [];
  const { species, kind } = subjectOf(dialogue, questions);
  const food = species && foodAnswer(questions, species);
  if (food) return [textPart(food)];
  const topics = new Set(
    questions.flatMap((question) => [...(isAboutChildren(question) ? (['children'] as const) : []), ...topicsOf(question)]),
  );
  const found = [...new Set([...topics].flatMap((topic) => sectionFor(topic, kind, species) ?? []))].slice(0, MOST_SECTIONS);
  const texts = found.map((section) => sectionText(section, isShort));
  const gaps = gapText(questions, texts.join(' '), [...topics]);
  if (texts.length > 0) return [...texts, ...gaps].map(textPart);
  const notes = kind ? [...new Set(questions.flatMap(namedAspects).map((aspect) => kind.note(aspect)))].slice(0, MOST_SECTIONS) : [];
  if (notes.length > 0) return [textPart(`My guide says: ${notes.join(' ')}`)];
  return [textPart(species === null ? WHICH_ANIMAL : NOT_IN_GUIDE)];
};

/**
 * Returns the animal that care questions are about. What the message names or refers to counts first, then the pets that were shown,
 * then the animal that the customer named last, and last the preferences.
 */
const subjectOf = ({ sentences, referred, preferences, shown, subject }: Dialogue, questions: readonly Sentence[]): Subject => {
  const named = [...questions, ...sentences].flatMap(({ items }) => items.flatMap(({ concept }) => animalOf(concept) ?? []));
  // "A husky dog": the breed says more than the species.
  const [best] = named.toSorted((one, other) => Number(other.breed !== undefined) - Number(one.breed !== undefined));
  if (best && named[0].species === best.species) return { species: best.species, kind: kindNamed(best.species, best.breed) };
  if (best) return { species: named[0].species, kind: kindNamed(named[0].species, named[0].breed) };
  const pets = [referred.named, referred.pointed, shown].find((some) => some.length > 0) ?? [];
  const [first, ...others] = kindsOf(pets);
  const [species, ...otherSpecies] = new Set(pets.map((pet) => pet.species));
  // "What does it eat?" after pets of several species could mean each of them.
  if (species && otherSpecies.length === 0) return { species, kind: others.length === 0 ? (first ?? null) : kindNamed(species, undefined) };
  const known = subject?.species ?? preferences.species[0] ?? preferences.ownPets[0] ?? null;
  return { species: known, kind: kindNamed(known, subject && subject.species === known ? subject.breed : preferences.breeds[0]) };
};

/** Question words, and what a text has that answers them. */
const ASKED: readonly (readonly [asked: RegExp, answered: RegExp, gap: string])[] = [
  [/ how often | how many times /, /\b(?:once|twice|times|every|daily|per|each|a (?:day|week|month|year)|all day)\b/i, 'how often'],
  [/ (?:how many|how much) (?!is|does|are|do |work|time)/, /\d|\b(?:two|three|few|all day|spoon)/i, 'how much'],
  [/ (?:what|which) (?:temperature|temp) | how (?:warm|hot|cold) | degrees /, /\bdegrees\b/i, 'which temperature'],
  [/ how (?:big|large) | what size /, /\d|metres/i, 'how large'],
  [/ (?:at )?what age | how old (?:should|must|does|do) /, /\b(?:months?|weeks?|years?|age)\b/i, 'at what age'],
];
/** Topics whose sections say themselves what they do not know. */
const OF_STORE: ReadonlySet<string> = new Set([
  'adopting',
  'application',
  'requirements',
  'visiting',
  'paying',
  'returning',
  'delivery',
  'surrendering',
  'orders',
  'photos',
  'contact',
  'hours',
  'goods',
  'costs',
]);

/** Says what a question asks and the sections do not answer. */
const gapText = (questions: readonly Sentence[], answer: string, topics: readonly string[]): readonly string[] => {
  if (topics.every((topic) => OF_STORE.has(topic))) return [];
  const asked = ` ${questions.map(({ tokens }) => tokens.map(({ word }) => word).join(' ')).join(' ')} `;
  const gaps = ASKED.flatMap(([words, answered, gap]) => (words.test(asked) && !answered.test(answer) ? [gap] : []));
  return gaps.length === 0 ? [] : [`My guide does not say ${joined(gaps, 'or')}. Please ask a vet or the staff.`];
};
