import { spacedWords } from '../reading/token.js';
import type { Species } from '../../domain/pets/pet.events.js';
import { isAboutChildren, isCareQuestion, needsGuide, STORE_TOPICS, topicsOf } from '../dialogue/care-question.js';
import type { CataloguePet } from '../catalogue.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import { isOfBreed } from '../matching/fit.js';
import type { Sentence } from '../reading/sentence.js';
import { sectionFor, sectionOf, sectionText, foodAnswer } from '../guide/care.js';
import type { Aspect } from '../kinds/aspects.js';
import { distinctKinds, kindNamed, kindsOfSpecies, notesOfKinds, type Kind } from '../kinds/kind.js';
import type { Topic } from '../words/concept.js';
import { namedAspects } from '../suiting/aspects-in.js';
import { kindsOf } from '../suiting/fitness.js';
import { joined } from '../wording/criteria.js';
import { animalOf, isAboutOwnAnimal, isAnimal, isOwnedAt, namesOwnAnimal } from '../dialogue/own-animal.js';
import { FIRST_MEASURES } from '../guide/general.js';
import type { Section } from '../guide/guide.js';
import { SHOPPING } from '../kinds/kind-texts.js';
import { behaviourText } from '../guide/behaviours.js';
import { placeText } from '../guide/places.js';
import { roleAt } from '../preferences/roles.js';
import { textPart, type Part, type Style } from '../wording/part.js';

export const WHICH_ANIMAL =
  'My guide has a section for each species. Which animal do you mean: a dog, a cat, a rabbit, a bird, a reptile or another small pet?';
export const NOT_IN_GUIDE = 'My guide does not answer that. Please ask a vet or the staff.';
const MOST_SECTIONS = 2;

/** The animal that a question is about. */
type Subject = { readonly species: Species | null; readonly kind: Kind | null };

/** Answers questions about the care of animals from the guide. */
export const careParts = (dialogue: Dialogue, { isShort }: Style): readonly Part[] => {
  const { followsUp } = dialogue;
  const behaviour = behaviourOf(dialogue);
  if (behaviour !== null) return [textPart(`My guide says: ${behaviour}`)];
  const questions = followsUp.length > 0 ? followsUp : dialogue.sentences.filter(needsGuide);
  if (questions.length === 0) return [];
  const topics = [
    ...new Set(
      questions.flatMap((question) => [
        ...(isAboutChildren(question) ? (['children'] as const) : []),
        // "I live with somebody who is allergic" asks for nothing else.
        ...topicsOf(question).filter((topic) => topic === 'allergies' || followsUp.length > 0 || isCareQuestion(question)),
      ]),
    ),
  ];
  const all = subjectsOf(dialogue, followsUp.length > 0 ? [] : questions);
  const ofEach = all.length > 1 ? eachText(all, topics) : null;
  if (ofEach !== null) return [textPart(ofEach)];
  const [{ species, kind }] = all.length === 1 ? all : [subjectOf(dialogue, followsUp.length > 0 ? [] : questions)];
  const food = species && foodAnswer(topics.includes('feeding') ? dialogue.sentences : questions, species);
  if (food) return [textPart(food)];
  const text = spacedWords(questions.flatMap(({ tokens }) => tokens));
  const place = species && topics.includes('place') ? placeText(text, species) : null;
  const home = sectionOf('housing', species);
  if (place !== null && home) return [textPart(sectionText({ ...home, short: place, more: '' }, isShort))];
  if (shownNothing(dialogue) && questions.every(asksWhatNow)) return [];
  const [about] = kind === null || !questions.some(asksToKnow) ? [] : [toKnow(kind)];
  if (about) return [textPart(about)];
  const isYoung = / (?:pup|puppy|puppies|kittens?) /.test(text);
  const isOfStranger = species === null && questions.some(({ items }) => items.some(({ concept }) => concept?.kind === 'animal'));
  const found = isOfStranger
    ? []
    : [...new Set(topics.flatMap((topic) => sectionFor(topic, kind, species, isYoung) ?? []))].slice(0, MOST_SECTIONS);
  const isSick = topics.includes('vet') && species !== null && questions.some(namesOwnAnimal) && !ROUTINE.test(text);
  const texts = found.map((section) =>
    isSick && section === sectionOf('vet', species)
      ? sectionText(illnessSection(section, species), isShort)
      : sectionText(section, isShort),
  );
  const [equipment] = topics.includes('equipment') ? [kind && SHOPPING[kind.base]] : [];
  const ofKind = kind && topics.includes('costs') ? [`My guide says: ${kind.note('costs')}`] : [];
  // The section about company says little about a working day alone.
  const alone =
    kind && questions.flatMap(namedAspects).includes('away') && !/\b(?:hours|working day)\b/.test(texts.join(' '))
      ? [`My guide says: ${kind.note('away')}`]
      : [];
  const meeting = topics.includes('company')
    ? meetingNotes(meetingOf(dialogue, questions.filter(isCareQuestion))).map((note) => `My guide says: ${note}`)
    : [];
  if (meeting.length > 0) return meeting.map(textPart);
  const gaps = gapText(questions, [...texts, ...alone].join(' '), topics);
  if (texts.length > 0)
    return [...ofKind, ...texts, ...(equipment ? [`My guide says: ${equipment}`] : []), ...alone, ...gaps].map(textPart);
  const kinds = kind ? [kind] : species === null ? [] : kindsOfSpecies(species);
  const aspects = [...new Set(questions.flatMap(namedAspects))].slice(0, MOST_SECTIONS);
  const notes = aspects.flatMap((aspect) => notesOfKinds(kinds, aspect));
  if (notes.length > 0) return [textPart(`My guide says: ${[...new Set(notes)].join(' ')}`)];
  if (kinds.length > 0 && questions.some(asksWhatLike))
    return [textPart(`My guide says: ${kinds.map(({ summary }) => summary).join(' ')}`)];
  const [stranger] =
    species === null
      ? questions.flatMap(({ items }) => items.flatMap(({ concept, text: word }) => (concept?.kind === 'animal' ? [word] : [])))
      : [];
  if (stranger !== undefined)
    return [textPart(`The catalogue has no ${stranger}, and my guide says nothing about this animal. Please ask a vet.`)];
  if (species === null) return [textPart(WHICH_ANIMAL)];
  return [textPart(kind === null || questions.some(namesOwnAnimal) ? NOT_IN_GUIDE : `${NOT_IN_GUIDE} In general it says: ${kind.summary}`)];
};

/** What the guide says about the behaviour that the message describes of the customer's own animal, or of a kind: "why do cats purr". */
const behaviourOf = ({ sentences, tokens, subject, referred }: Dialogue): string | null => {
  const animals = sentences.flatMap(({ items }) => items.flatMap(({ concept }) => animalOf(concept) ?? []));
  const isOfSearch = sentences.some(({ items }) =>
    items.some(
      ({ concept, text }) =>
        concept?.kind === 'query' || (concept?.kind === 'want' && /^(want|looking for|would like|i'd like|show me|show)$/.test(text)),
    ),
  );
  if (
    isOfSearch ||
    referred.named.length > 0 ||
    !(isAboutOwnAnimal(sentences, false) || sentences.some(namesOwnAnimal) || sentences.some(isBehaviourQuestion))
  )
    return null;
  const [{ species } = { species: subject?.species }] = animals;
  return species === undefined ? null : behaviourText(spacedWords(tokens), species);
};

const isBehaviourQuestion = ({ tokens }: Sentence): boolean => /^(why|what|is|do|does|how)$/.test(tokens[0]?.word ?? '');

/** Words of a question about the vet that tells of no illness. */
const ROUTINE =
  / (?:how often|know if|know when|tell if|recogni[sz]e|signs of|vaccinat[a-z]+|vaccines?|shots|neuter[a-z]*|spay[a-z]*|castrat[a-z]+|steril[a-z]+|insurance|check ups?|checkups?|worm[a-z]*|deworm[a-z]*|fleas?|ticks|how much|cost|need (?:a|to see a) vet|overweight|too fat|fat|cancer|pregnant) /;

/** The section about the vet for an animal that seems ill: what to do today comes first. */
const illnessSection = ({ title, more }: Section, species: Species): Section => ({
  title,
  short: `A change like that can be a sign of illness, so call a vet today. ${FIRST_MEASURES[species]}`,
  more,
});

/** The maximum number of animals for which an answer says something. */
const MOST_ANIMALS = 3;

/** One sentence for each of several animals, for the first topic that the guide answers for one of them. Null if it answers none. */
const eachText = (subjects: readonly Subject[], topics: readonly Topic[]): string | null => {
  for (const topic of topics) {
    const texts = subjects.slice(0, MOST_ANIMALS).map((subject) => textFor(subject, topic));
    if (texts.every((text) => text === null)) continue;
    const unknown = subjects.flatMap(({ kind, species }, nth) => (texts[nth] === null ? [kind?.many ?? species ?? ''] : []));
    const gap = unknown.length > 0 ? ` About ${joined(unknown)} it does not say that. Please ask the staff.` : '';
    return `My guide says: ${[...new Set(texts.filter((text) => text !== null))].join(' ')}${gap}`;
  }
  return null;
};

const textFor = ({ species, kind }: Subject, topic: Topic): string | null => {
  if (kind && (topic === 'lifespan' || topic === 'costs')) return kind.note(topic === 'lifespan' ? 'longLife' : 'costs');
  if (STORE_TOPICS.has(topic) || topic === 'allergies' || topic === 'company') return null;
  const section = sectionFor(topic, kind, species);
  return section === null || section === sectionOf(topic, null) ? null : section.short;
};

const shownNothing = ({ shown, referred }: Dialogue): boolean => shown.length + referred.named.length === 0;

/** "What now?" asks how to adopt only after a pet was shown. */
const asksWhatNow = ({ tokens }: Sentence): boolean => / (?:what now|what next|now what|next steps?) /.test(spacedWords(tokens));

const WHAT_LIKE =
  / (?:(?:good|nice|fun|bad) (?:as )?(?:a )?(?:pet|pets|companions?)|as (?:a )?pets?|what (?:is|are) (?:[^ ]+ ){1,4}like|pros and cons|tell me (?:something |more |a bit |everything |all |a little )?about|something about|facts about|think (?:about|of)|worth it|dangerous|venomous|poisonous pets?|disgusting|friendly|boring|loyal|(?:need to|should (?:i|we)|must (?:i|we)|good to) know|know (?:before|about)) /;

/** Whether a question asks for all that is important: "what do I need to know before I get a parrot?" */
const asksToKnow = ({ tokens }: Sentence): boolean =>
  / (?:(?:need|want) to|should (?:i|we)|must (?:i|we)) know | know (?:before|about) | reasons? (?:to|for|why) | advantages | disadvantages | benefits | pros and cons | why should (?:i|we) (?:get|have|adopt) /.test(
    spacedWords(tokens),
  );

const toKnow = (kind: Kind): string => `My guide says: ${kind.summary} ${kind.note('easy')} ${kind.note('longLife')} ${kind.note('costs')}`;

/** Whether a question asks what a kind of animal is like: "are rats good pets?" */
const asksWhatLike = ({ tokens }: Sentence): boolean => WHAT_LIKE.test(spacedWords(tokens));

/** The aspect that each species of the home is. */
const AT_HOME: Readonly<Record<Species, Aspect>> = {
  CAT: 'cats',
  DOG: 'dogs',
  RABBIT: 'small',
  BIRD: 'small',
  OTHER: 'small',
  REPTILE: 'small',
};

/** "I want a cat and a dog. Can they live together?" is about the animals of the sentence before. */
const meetingOf = ({ sentences, tokens }: Dialogue, questions: readonly Sentence[]): readonly Sentence[] =>
  / (?:they|them|all|these|those|both|everyone|everybody) (?:[^ ]+ ){0,2}(?:live|be kept|get along|stay|together|be friends) /.test(
    spacedWords(tokens),
  )
    ? sentences
    : questions;

/** What the guide says about each two kinds of animals that live together. The kind at risk comes first. */
const meetingNotes = (questions: readonly Sentence[]): readonly string[] => {
  const animals = questions.flatMap(({ items }) => items.flatMap(({ concept }) => animalOf(concept) ?? []));
  const kinds = distinctKinds(animals.flatMap(({ species, breed }) => kindNamed(species, breed) ?? []));
  const pairs = kinds
    .slice(0, MOST_ANIMALS)
    .flatMap((one, nth) => kinds.slice(nth + 1, MOST_ANIMALS).map((other) => [one, other] as const));
  return [...new Set(pairs.flatMap(([one, other]) => meetingOfTwo(one, other)))];
};

const meetingOfTwo = (one: Kind, other: Kind): readonly string[] => {
  if (one.species === other.species) return one.base === other.base ? [] : [one.note('small')];
  const [first, second] = [AT_HOME[other.species], AT_HOME[one.species]];
  return [one.rank(first) <= other.rank(second) ? one.note(first) : other.note(second)];
};

/** The pets that were shown, unless they only came closest to the breed that the customer named last. */
const shownOf = ({ referred, shown, subject }: Dialogue): readonly (readonly CataloguePet[])[] => {
  const { breed } = subject ?? {};
  return breed !== undefined && !shown.some((pet) => isOfBreed(pet, breed)) ? [] : [referred.pointed, shown];
};

/** The kinds that care questions are about: those that they name, or those of the pets that a pronoun means. */
const subjectsOf = (dialogue: Dialogue, questions: readonly Sentence[]): readonly Subject[] => {
  const named = questions.flatMap(({ items }) =>
    items.flatMap(({ concept }, at) => (roleAt(items, at) === 'met' ? [] : (animalOf(concept) ?? []))),
  );
  if (named.length > 0) {
    const species = new Set(named.map((animal) => animal.species));
    const kinds = distinctKinds(named.flatMap((animal) => kindNamed(animal.species, animal.breed) ?? []));
    return species.size < 2 && kinds.length < 2 ? [] : kinds.map((kind) => ({ species: kind.species, kind }));
  }
  const { sentences, referred } = dialogue;
  const isOther = sentences.some(({ items }) => items.some(({ concept }) => isAnimal(concept)));
  const pets = isOther ? [] : ([referred.named, ...shownOf(dialogue)].find((some) => some.length > 0) ?? []);
  const whole = pets.map((pet) => (/^(DOG|CAT)$/.test(pet.species) ? { ...pet, breed: undefined } : pet));
  const kinds = kindsOf(whole);
  return kinds.length < 2 ? [] : kinds.map((kind) => ({ species: kind.species, kind }));
};

/**
 * Returns the animal that care questions are about. What the message names or refers to counts first, then the pets that were shown,
 * then the animal that the customer named last, and last the preferences.
 */
const subjectOf = (dialogue: Dialogue, questions: readonly Sentence[]): Subject => {
  const { sentences, referred, preferences, subject } = dialogue;
  const all = [...questions, ...sentences];
  const own = all.flatMap(({ items }) => items.flatMap(({ concept }, at) => (isOwnedAt(items, at) ? (animalOf(concept) ?? []) : [])));
  const named = [...own, ...all.flatMap(({ items }) => items.flatMap(({ concept }) => animalOf(concept) ?? []))];
  // "A husky dog": the breed says more than the species.
  const [best] = named.toSorted((one, other) => Number(other.breed !== undefined) - Number(one.breed !== undefined));
  if (best && named[0].species === best.species) return { species: best.species, kind: kindNamed(best.species, best.breed) };
  if (best) return { species: named[0].species, kind: kindNamed(named[0].species, named[0].breed) };
  const pets = [referred.named, ...shownOf(dialogue)].find((some) => some.length > 0) ?? [];
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
  [/ how long (?:can|could|may|should|is it|are) /, /\b(?:hours?|days?|weeks?|years?)\b/i, 'how long'],
  [/ (?:at )?what age | how old (?:should|must|does|do) /, /\b(?:months?|weeks?|years?|age)\b/i, 'at what age'],
];

/** A question about a food: "can dogs eat cheese". */
const MAY_EAT =
  / (?:can|may|should|could|do|are|is) (?:[^ ]+ ){1,3}(?:eat|have|allowed|give (?:him|her|it|them)) (?:some |a |an |the |any )?([a-z]{3,})(?: [.?!]|,| $| every| too| and| or| raw| cooked)/;

/** Says that the answer does not name the food of a question. */
const foodGap = (asked: string, answer: string): readonly string[] => {
  const [, food] = MAY_EAT.exec(asked) ?? [];
  if (food === undefined || answer.toLowerCase().includes(food.replace(/(?:es|s|ies)$/, ''))) return [];
  return [`My guide says nothing about ${food}. Please ask a vet.`];
};

/** Says what a question asks and the sections do not answer. */
const gapText = (questions: readonly Sentence[], answer: string, topics: readonly Topic[]): readonly string[] => {
  // The sections about the store and about costs say themselves what they do not know.
  if (topics.every((topic) => STORE_TOPICS.has(topic) || topic === 'costs' || topic === 'equipment')) return [];
  const asked = spacedWords(questions.flatMap(({ tokens }) => tokens));
  const gaps = ASKED.flatMap(([words, answered, gap]) => (words.test(asked) && !answered.test(answer) ? [gap] : []));
  const food = topics.includes('feeding') ? foodGap(asked, answer) : [];
  if (food.length > 0) return food;
  return gaps.length === 0 ? [] : [`My guide does not say ${joined(gaps, 'or')}. Please ask a vet or the staff.`];
};
