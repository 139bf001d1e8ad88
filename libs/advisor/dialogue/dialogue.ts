import type { CataloguePet } from '../catalogue.js';
import { SIZES, type Species } from '../../domain/pets/pet.events.js';
import { causesIn, hasAllergy } from './allergy.js';
import { applyStatements } from '../preferences/apply.js';
import { measuresOf, NO_MEASURES, type Measures } from '../preferences/measures.js';
import { NO_PREFERENCES, settle, STAGE_MONTHS, type Preferences } from '../preferences/preferences.js';
import { statementsOf, type Statement } from '../preferences/statements.js';
import type { ReadMessage } from '../reading/conversation.js';
import { sentencesOf, type Sentence } from '../reading/sentence.js';
import { spacedWords, tokensOf, type Token } from '../reading/token.js';
import type { KnownPets } from '../references/pet-names.js';
import { agesNear, isForOwnAnimal, likeLost, likeOwnAnimal, ownAgeIn, wantsSimilarAge } from './companion.js';
import { instructionCases } from '../refusals/instructions.js';
import type { Slot } from '../words/concept.js';
import { withSpelling } from '../reading/spelling.js';
import { choiceBy, superlativeOf } from './choice.js';
import { animalOf, isAnimal, type Animal } from './own-animal.js';
import { isCareQuestion } from './care-question.js';
import { asksForAnother, isOfHome, seeksPet, withHome, withOtherKinds, withWishes } from '../suiting/stated.js';
import { choicesOf, partsOf } from '../preferences/parts.js';
import { alsoSearches, isFactQuestion, isFollowUp, isOnlyLoss, isTask, saysSomething, withCauses, withoutLost } from './sentence-kinds.js';
import { NO_PETS, referredPets, type Referred } from './referred.js';
import { PURPOSE_BOOK } from '../words/books.js';
import { minorUnits } from '../../domain/money.js';
import { DEFAULT_CURRENCY, mainCurrency } from '../matching/money.js';

/** A conversation as the advisor understands it. */
export type Dialogue = {
  readonly preferences: Preferences;
  /** Whether the last message stated preferences. The refusal of a pet does not count. */
  readonly hasNewPreferences: boolean;
  readonly tokens: readonly Token[];
  readonly sentences: readonly Sentence[];
  /** The pets that the last message refers to. */
  readonly referred: Referred;
  /** The pets that the advisor has shown last. */
  readonly shown: readonly CataloguePet[];
  /** The pets that the conversation was about before the last message. */
  readonly focus: readonly CataloguePet[];
  /** The animal that the customer named last, before the last message. */
  readonly subject: Animal | null;
  /** The questions about care that the last message continues: "and hamsters?" Empty if it continues none. */
  readonly followsUp: readonly Sentence[];
  /** The name that the last message asks for and that no pet has, and the pets whose name is close to it. */
  readonly sought?: { readonly name: string; readonly meant: readonly CataloguePet[] } | null;
  /** The preferences before the last message. */
  readonly before: Preferences;
  /** The species to which earlier messages say that somebody is allergic. */
  readonly allergicTo: readonly Species[];
  /** What the advisor's earlier questions were about, for example `budget`. */
  readonly askedFor: readonly Slot[];
};

type State = {
  preferences: Preferences;
  shown: readonly CataloguePet[];
  focus: readonly CataloguePet[];
  /** All pets that the advisor has shown. */
  everShown: readonly CataloguePet[];
  /** The slot of the advisor's latest question; null if the customer has written since. */
  expected: Slot | null;
  askedFor: readonly Slot[];
  /** The species to which somebody is allergic. */
  allergicTo: readonly Species[];
  /** The age in months of the customer's own animal. */
  ownAge: number | null;
  /** The animal that the customer named last. */
  subject: Animal | null;
  /** The questions about care in the customer's latest message. */
  questions: readonly Sentence[];
  last: Pick<
    Dialogue,
    'allergicTo' | 'followsUp' | 'subject' | 'tokens' | 'sentences' | 'referred' | 'hasNewPreferences' | 'before' | 'focus'
  >;
};

const NOTHING: State['last'] = {
  tokens: [],
  sentences: [],
  referred: NO_PETS,
  hasNewPreferences: false,
  before: NO_PREFERENCES,
  focus: [],
  subject: null,
  followsUp: [],
  allergicTo: [],
};

/**
 * Reads a conversation from its start. The client sends the advisor's messages too, and may have invented them. So each pet
 * that they name is looked up in the catalogue (contract 40.2).
 */
export const dialogueOf = (messages: readonly ReadMessage[], known: KnownPets): Dialogue => {
  const state: State = {
    preferences: NO_PREFERENCES,
    shown: [],
    focus: [],
    everShown: [],
    expected: null,
    askedFor: [],
    allergicTo: [],
    ownAge: null,
    subject: null,
    questions: [],
    last: NOTHING,
  };
  for (const message of messages)
    if (message.role === 'ASSISTANT') readAdvisor(state, message, known);
    else readCustomer(state, message, known);
  return { preferences: state.preferences, shown: state.shown, askedFor: state.askedFor, ...state.last };
};

const readAdvisor = (state: State, { content }: ReadMessage, known: KnownPets): void => {
  // "Mabel walks well on the lead" in the description of Waffles shows no Mabel.
  const plain = content.replaceAll(/\bsays?: "[^"\n]*"/g, '');
  const shown = meantPets(known.in(plain, tokensOf(plain)), [...state.focus, ...state.everShown]);
  if (shown.length > 0) {
    // After the details of one pet of a list, "the first one" still means the first pet of the list.
    const isOfList = shown.length === 1 && state.shown.includes(shown[0]);
    if (!isOfList) state.shown = shown;
    state.focus = shown.length === 1 ? shown : [];
    state.everShown = [...new Set([...state.everShown, ...shown])];
  }
  state.expected = expectedSlot(content);
  if (state.expected) state.askedFor = [...state.askedFor, state.expected];
};

/**
 * Returns the pets that the names in a text mean. If several pets share a name, the name means those in `before`, which the
 * conversation was already about. If `before` has none of them, the name means all of them.
 */
const meantPets = (named: readonly CataloguePet[], before: readonly CataloguePet[]): readonly CataloguePet[] =>
  named.filter((pet) => {
    const same = named.filter(({ name }) => name === pet.name);
    return same.length === 1 || before.includes(pet) || !same.some((one) => before.includes(one));
  });

/** Reads a message of the customer or of the operator. Only the customer answers the advisor's question (contract 40.2). */
const readCustomer = (state: State, { role, tokens: written }: ReadMessage, known: KnownPets): void => {
  const tokens = withSpelling(written, known.words);
  const sentences = sentencesOf(tokens, known.book).map(state.expected === 'allergy' && role === 'USER' ? withCauses : (one) => one);
  const before = state.preferences;
  const referred = referredPets(withoutLost(sentences), { shown: state.shown, focus: state.focus, everShown: state.everShown, known });
  const followsUp = role === 'USER' && isFollowUp(sentences) ? state.questions : [];
  for (const sentence of followsUp.length > 0 ? [] : sentences)
    if (
      saysSomething(sentence) &&
      (!isCareQuestion(sentence) || alsoSearches(sentence)) &&
      !isFactQuestion(sentence) &&
      !isOnlyLoss(sentence)
    )
      readSentence(state, sentence);
  const ofHome = sentences.filter(isOfHome);
  state.preferences = likeLost(state.preferences, tokens, sentences);
  if (role === 'USER' && !sentences.some(({ items }) => items.some(({ concept }) => isAnimal(concept))))
    state.preferences = withOtherKinds(state.preferences, tokens);
  if (asksForAnother(ofHome)) state.preferences = { ...state.preferences, breeds: [], fallback: undefined };
  state.preferences = withHome(
    state.preferences,
    ofHome.filter((one) => !isCareQuestion(one) || seeksPet(one)),
  );
  if (role === 'USER') state.preferences = withSubject(state, sentences);
  readOwnAge(state, sentences, before);
  if (state.expected && role === 'USER') state.preferences = answerTo(state.expected, sentences, state.preferences);
  const hasNewPreferences = state.preferences !== before;
  // What the guide answers, such as "we travel a lot", starts no search, but counts for the next one.
  state.preferences = withWishes(withHome(state.preferences, ofHome), sentences);
  if (referred.refused.length > 0)
    state.preferences = { ...state.preferences, refused: [...new Set([...state.preferences.refused, ...referred.refused])] };
  if (role === 'USER' && followsUp.length === 0) state.questions = sentences.filter(isCareQuestion);
  state.last = {
    allergicTo: state.allergicTo,
    followsUp,
    tokens,
    sentences,
    referred,
    hasNewPreferences,
    before,
    focus: state.focus,
    subject: state.subject,
  };
  state.allergicTo = [...new Set([...state.allergicTo, ...sentences.filter(hasAllergy).flatMap(causesIn)])];
  // "Allergic to cats, but she is begging for one" is about cats.
  const isWantedStill = (one: Sentence): boolean =>
    / (?:for|wants?|wanted|gets?|getting|have|having|loves?) (?:one|them) /.test(spacedWords(one.tokens));
  const named = sentences.flatMap((one) =>
    one.items.flatMap(({ concept, isNegated }) => (isNegated && !isWantedStill(one) ? [] : (animalOf(concept) ?? []))),
  );
  state.subject = named.find(({ breed }) => breed !== undefined) ?? named[0] ?? state.subject;
  if (referred.named.length > 0) state.focus = referred.named;
  if (role === 'USER') state.expected = null;
};

/** "Any of those", "the cheapest one": before a list, such words mean the animal that the conversation is about. */
const withSubject = ({ preferences, shown, subject }: State, sentences: readonly Sentence[]): Preferences => {
  const text = sentences.map(({ tokens }) => spacedWords(tokens)).join('');
  const isReferring = / (?:those|them|these|ones?|any) /.test(text) && !sentences.every(isCareQuestion);
  const asks = sentences.some(({ items }) => items.some(({ concept }) => /^(query|order|want)$/.test(concept?.kind ?? '')));
  const namesAnimal = sentences.some(({ items }) =>
    items.some(({ concept }) => isAnimal(concept) || /^(animal|pet)$/.test(concept?.kind ?? '')),
  );
  if (subject === null || shown.length > 0 || preferences.species.length > 0) return preferences;
  if (!isReferring || !asks || namesAnimal) return preferences;
  const { species, breed } = subject;
  return {
    ...preferences,
    species: [species],
    notSpecies: preferences.notSpecies.filter((one) => one !== species),
    breeds: breed === undefined ? [] : [breed],
    settled: settle(preferences, 'species'),
  };
};

/** The age of the customer's own animal is a preference only if the new pet must have a similar age. */
const readOwnAge = (state: State, sentences: readonly Sentence[], before: Preferences): void => {
  const { preferences } = state;
  const stated =
    preferences.ownPets.length > 0 || sentences.some(isForOwnAnimal) || wantsSimilarAge(sentences) ? ownAgeIn(sentences) : null;
  state.ownAge = stated ?? state.ownAge;
  if (wantsSimilarAge(sentences) && state.ownAge !== null)
    state.preferences = { ...preferences, age: agesNear(state.ownAge), settled: settle(preferences, 'age') };
  else if (stated !== null && !preferences.age.stage && preferences.age !== before.age)
    state.preferences = {
      ...preferences,
      age: before.age,
      settled: preferences.settled.filter((slot) => slot !== 'age' || before.settled.includes(slot)),
    };
};

/**
 * Reads a sentence in parts. A part that begins with a correction such as "actually" replaces what an earlier part says. A
 * sentence that instructs the advisor states no preferences (contract 40.6). A sentence that asks for another price can state
 * preferences, but its amounts and ages are not read.
 */
const readSentence = (state: State, sentence: Sentence): void => {
  const cases = instructionCases(sentence.tokens);
  const isChoosing = state.shown.length > 1 && choiceBy([sentence]) !== null && superlativeOf(sentence) === null;
  if (isChoosing || isTask(sentence) || cases.some((one) => one !== 'price')) return;
  if (sentence.items.some(({ concept }) => concept?.kind === 'reset')) state.preferences = NO_PREFERENCES;
  if (superlativeOf(sentence) !== null) readPart(state, animalsOf(sentence), NO_MEASURES);
  else {
    const { main, fallback } = choicesOf(sentence);
    for (const part of partsOf(main)) readPart(state, part, cases.length > 0 ? NO_MEASURES : measuresOf(part, expectedBy(state, part)));
    if (fallback) readFallback(state, fallback);
  }
};

/** "Is the oldest dog vaccinated?" states a species. The superlative and the fact are no preferences. */
const animalsOf = (sentence: Sentence): Sentence => ({
  ...sentence,
  items: sentence.items.filter(({ concept }) => isAnimal(concept)),
});

/**
 * Returns the slot that a number without a unit belongs to. If a maximum price is known, a correction such as "make it 300"
 * states a budget. Any other number answers the advisor's latest question. Returns null if there was no question.
 */
const expectedBy = ({ expected, preferences }: State, { items }: Sentence): Slot | null =>
  items[0]?.concept?.kind === 'correction' && preferences.budget.max !== undefined ? 'budget' : expected;

const readPart = (state: State, part: Sentence, { age, budget }: Measures): void => {
  const { ownPets } = state.preferences;
  const isWanting = part.items.some(({ concept }) => concept?.kind === 'want' || concept?.kind === 'query');
  // "The dog is 3" is about the customer's dog, if there is one.
  const statements = statementsOf(part).filter(
    (one) => isWanting || one.about !== 'species' || !one.isDefinite || one.isNegated || !ownPets.includes(one.species),
  );
  let preferences = statements.length > 0 ? applyStatements(state.preferences, statements, isAddition(part)) : state.preferences;
  if (age) preferences = { ...preferences, age, settled: settle(preferences, 'age') };
  if (budget) {
    // A new amount without a currency is in the currency of the former budget.
    const { currency } = preferences.budget;
    preferences = {
      ...preferences,
      budget: { ...(currency !== undefined && { currency }), ...budget },
      settled: settle(preferences, 'budget'),
    };
  }
  for (const statement of statements)
    if (statement.about === 'relative') preferences = relativeTo(state.shown, statement.than, preferences);
  state.preferences = preferences.species.length === 0 && isForOwnAnimal(part) ? likeOwnAnimal(preferences, part) : preferences;
};

/** A second choice keeps the other preferences, such as the budget. */
const readFallback = (state: State, fallback: Sentence): void => {
  const before = { ...state.preferences, breeds: [], fallback: undefined };
  state.preferences = { ...state.preferences, fallback: applyStatements(before, statementsOf(fallback), isAddition(fallback)) };
};

/** For each slot, a pattern that matches its questions in wording/ask.ts. */
const QUESTIONS: readonly (readonly [Slot, RegExp])[] = [
  ['children', /\b(child|children|kids)\b/],
  ['budget', /\b(budget|spend|price)\b/],
  ['age', /\b(age|old|young)\b/],
  ['size', /\bsize\b/],
  ['allergy', /\bsymptoms\b/],
  ['species', /\b(kind of pet|kind of animal|species|which animal|dog, a cat)\b/],
];

/**
 * Returns the slot that the last question of the advisor's message is about. Returns null if the message does not end with a
 * question, or if no slot is recognised. Up to 120 characters may follow the question.
 */
export const expectedSlot = (message: string | undefined): Slot | null => {
  const end = message?.lastIndexOf('?') ?? -1;
  if (!message || end < 0 || end < message.length - 120) return null;
  const question = message.slice(Math.max(0, end - 160), end);
  const last = question.slice(Math.max(question.lastIndexOf('\n'), question.lastIndexOf('. '), 0)).toLowerCase();
  return QUESTIONS.find(([, words]) => words.test(last))?.[0] ?? null;
};

const NO = /^(no|nope|none|never|not|nobody|neither|don't|dont)$/;
/** The maximum number of tokens of a short answer. */
const LONGEST_ANSWER = 8;

/**
 * Applies an answer such as "yes", "no" or "any" to the slot that the advisor's question was about. Returns `before` itself
 * if the message is not such an answer.
 */
export const answerTo = (slot: Slot, sentences: readonly Sentence[], before: Preferences): Preferences => {
  const [first] = sentences;
  if (!first || first.isQuestion || sentences.reduce((sum, { tokens }) => sum + tokens.length, 0) > LONGEST_ANSWER) return before;
  const isNo = NO.test(first.tokens[0]?.word ?? '');
  const isYes = PURPOSE_BOOK(first.tokens, 0)?.concept.kind === 'yes';
  const settled = settle(before, slot);
  const isIndifferent = first.items.some(({ concept }) => concept?.kind === 'indifference');
  if (slot === 'children' && before.children === undefined && (isNo || isYes)) return { ...before, children: isYes, settled };
  // "No" to a question that is not about children means that the customer has no preference.
  return isNo || isIndifferent ? { ...before, settled } : before;
};

type Than = Extract<Statement, { about: 'relative' }>['than'];

/** Whether the sentence adds to an earlier preference: "or maybe a cat", "a rabbit too". */
export const isAddition = ({ items }: Sentence): boolean =>
  items.some(({ concept, isNegated }) => concept?.kind === 'addition' && !isNegated);

/** The preference that a comparison states. */
const SLOTS: Readonly<Record<Than, Slot>> = { cheaper: 'budget', younger: 'age', older: 'age', smaller: 'size', larger: 'size' };

/**
 * Applies a comparison with the pets that were shown. "Younger" means younger than each of these pets. If no pet was shown,
 * "younger" means young.
 */
export const relativeTo = (shown: readonly CataloguePet[], than: Than, before: Preferences): Preferences =>
  compared(shown, than, { ...before, settled: settle(before, SLOTS[than]) });

const compared = (shown: readonly CataloguePet[], than: Than, before: Preferences): Preferences => {
  if (than === 'cheaper') return cheaper(shown, before);
  if (than === 'younger')
    return shown.length === 0 ? { ...before, age: STAGE_MONTHS.YOUNG } : { ...before, age: { max: Math.max(0, lowestAge(shown) - 1) } };
  if (than === 'older')
    return shown.length === 0
      ? { ...before, age: STAGE_MONTHS.SENIOR }
      : { ...before, age: { min: Math.max(...shown.map(({ ageMonths }) => ageMonths)) + 1 } };
  const sizes = shown.flatMap(({ size }) => (size ? [SIZES.indexOf(size)] : []));
  if (sizes.length === 0) return { ...before, sizes: than === 'smaller' ? ['SMALL'] : ['LARGE'] };
  // "Smaller" means smaller than the largest pet that was shown. If no such size exists, the sizes do not change.
  const left = SIZES.filter((_, nth) => (than === 'smaller' ? nth < Math.max(...sizes) : nth > Math.min(...sizes)));
  return { ...before, sizes: left.length > 0 ? left : before.sizes };
};

const lowestAge = (shown: readonly CataloguePet[]): number => Math.min(...shown.map(({ ageMonths }) => ageMonths));

/**
 * Limits the budget to less than the lowest price that was shown, and sorts the cheapest pets first. Only prices in the most
 * frequent currency count. If no pet with a price was shown, the budget does not change.
 */
const cheaper = (shown: readonly CataloguePet[], before: Preferences): Preferences => {
  const priced = shown.flatMap(({ price, currency = DEFAULT_CURRENCY }) => {
    const minor = price === undefined ? null : minorUnits(price);
    return minor === null ? [] : [{ minor, currency }];
  });
  const currency = mainCurrency(shown);
  const [first, ...others] = priced.flatMap((one) => (one.currency === currency ? [one.minor] : []));
  if (first === undefined) return { ...before, order: 'cheapest' };
  const lowest = others.reduce((least, minor) => (minor < least ? minor : least), first);
  const cents = (lowest > 0n ? lowest - 1n : 0n).toString().padStart(3, '0');
  return { ...before, order: 'cheapest', budget: { max: `${cents.slice(0, -2)}.${cents.slice(-2)}`, currency } };
};
