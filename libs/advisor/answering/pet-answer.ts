import type { CataloguePet } from '../catalogue.js';
import { isAboutStore, needsGuide, topicsOf } from '../dialogue/care-question.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import { factsIn, purposesIn } from '../dialogue/purposes.js';
import { sectionOf, sectionText } from '../guide/care.js';
import { isCapitalised, isWord, type Token } from '../reading/token.js';
import { unrecordedText } from '../wording/criteria.js';
import { comparison, detailsOf, factsOfPets } from '../wording/details.js';
import { textPart, type Part, type Style } from '../wording/part.js';
import type { Sentence } from '../reading/sentence.js';
import type { Fact } from '../words/concept.js';
import { PREFERENCE_BOOK } from '../words/books.js';
import { isCommonWord } from '../words/common-words.js';
import { choiceBy, chosenText, factOfChoice, isChoice } from '../dialogue/choice.js';

/** The maximum number of pets that an answer compares, or about which it states facts. */
const MOST_PETS = 4;
const NO_SUCH_NAME = 'I find no pet of that name in the catalogue.';

/** Answers questions about pets that the last message names, or refers to by a pronoun. */
export const petParts = (dialogue: Dialogue, style: Style): readonly Part[] => {
  const { referred, tokens, sentences } = dialogue;
  const facts = factsIn(sentences);
  const purposes = purposesIn(tokens);
  const choice = sentences.some(isChoice);
  const isPointed = facts.length > 0 || purposes.has('details') || purposes.has('compare') || choice;
  const pets = (
    referred.named.length > 0
      ? // "Compare her with Daisy."
        [...(purposes.has('compare') && referred.pointed.length === 1 ? referred.pointed : []), ...referred.named]
      : isPointed
        ? ([pointedPets(dialogue, choice), shownPets(dialogue)].find((some) => some.length > 0) ?? [])
        : []
  ).slice(0, MOST_PETS);
  const missing = purposes.has('details') || purposes.has('compare') || facts.length > 0 ? unknownNames(dialogue) : [];
  if (pets.length === 0) return missing;
  // "What should I feed Rex?" is about the species of Rex: `careParts` answers it.
  const care = sentences.filter(needsGuide);
  // "How do I adopt Rex?" gets the status of Rex before the guide.
  if (facts.length === 0 && referred.named.length > 0 && care.some(isAboutStore)) return [factsOfPets(pets, ['status'])];
  if (care.length > 0 && (facts.length === 0 || care.some((question) => isOnlyCare(question, facts)))) return [];
  return [aboutPets(dialogue, style, pets), ...missing, ...traitParts(dialogue), ...adoptingParts(dialogue, style, pets)];
};

/** Whether a care question has words of facts and asks for none: "How much is she per month?", "My daughter is allergic". */
const isOnlyCare = (question: Sentence, facts: readonly Fact[]): boolean =>
  (topicsOf(question).includes('costs') && facts.every((fact) => fact === 'price')) ||
  (topicsOf(question).includes('allergies') && facts.every((fact) => fact === 'children'));

/** Returns the pets that a pronoun means. For a question such as "Which one is younger?", returns the pets to choose from. */
const pointedPets = ({ referred, shown, focus }: Dialogue, isChoosing: boolean): readonly CataloguePet[] => {
  if (!isChoosing || referred.pointed.length > 1) return referred.pointed;
  return focus.length > 1 ? focus : shown;
};

/** The maximum number of words of a question that needs no pronoun after a list of pets: "how much", "and the price". */
const LONGEST_BARE_QUESTION = 4;

/** The pets that a bare question is about: those that were shown. */
const shownPets = ({ tokens, sentences, focus, shown, hasNewPreferences }: Dialogue): readonly CataloguePet[] => {
  const isBare = tokens.filter(isWord).length <= LONGEST_BARE_QUESTION && !hasNewPreferences && factsIn(sentences).length > 0;
  if (!isBare || sentences.some(({ items }) => items.some(({ concept }) => concept !== null && 'species' in concept))) return [];
  return focus.length > 0 ? focus : shown;
};

const aboutPets = ({ tokens, sentences }: Dialogue, { isShort }: Style, pets: readonly CataloguePet[]): Part => {
  const by = choiceBy(sentences);
  if (by !== null) {
    const chosen = chosenText(pets, by);
    const { text } = factsOfPets(pets, [factOfChoice(by)]);
    return { text: chosen ? `${chosen}\n${text}` : text, pets };
  }
  const facts = factsIn(sentences);
  // "Is Coco a boy or a girl?" compares no pets.
  const words = facts.includes('gender') ? tokens.filter(({ word }) => word !== 'or') : tokens;
  if (pets.length > 1 && (purposesIn(words).has('compare') || facts.length === 0)) return comparison(pets, isShort);
  return facts.length > 0 ? factsOfPets(pets, facts) : detailsOf(pets[0], isShort);
};

/** Says how to adopt, if the message says "adopt" or the like and one of the pets is available. */
const adoptingParts = ({ tokens }: Dialogue, { isShort }: Style, pets: readonly CataloguePet[]): readonly Part[] => {
  const section = sectionOf('adopting', null);
  const wants =
    tokens.some(({ word }) => /^(adopt|take|buy|reserve|order|hold|book|collect)$/.test(word)) &&
    pets.some(({ status }) => status === 'AVAILABLE');
  return wants && section ? [textPart(sectionText(section, isShort))] : [];
};

/** Names the new traits in the last message for which the catalogue has no field. */
const traitParts = ({ preferences, before, sentences }: Dialogue): readonly Part[] => {
  const wanted = preferences.unrecorded.filter((trait) => !before.unrecorded.includes(trait));
  const asked = sentences.flatMap(({ items }) => items.flatMap(({ concept }) => (concept?.kind === 'unrecorded' ? [concept.trait] : [])));
  const note = unrecordedText([...new Set([...wanted, ...asked])]);
  return note ? [textPart(note)] : [];
};

/** If the message contains a name that no pet of the catalogue has, says so. */
const unknownNames = ({ tokens, sentences }: Dialogue): readonly Part[] => {
  const known = new Set(
    sentences.flatMap(({ items }) => items.flatMap(({ concept, text }) => (concept?.kind === 'pet' ? text.split(' ') : []))),
  );
  const inPhrases = new Set(
    tokens.flatMap((_, at) => Array.from({ length: PREFERENCE_BOOK(tokens, at)?.length ?? 0 }, (__, nth) => at + nth)),
  );
  const isUnknown = (token: Token, at: number): boolean =>
    !inPhrases.has(at) &&
    at > 0 &&
    !/^(in|to|from|near|at|by|of|the|like)$/.test(tokens[at - 1].word) &&
    isWord(token) &&
    isCapitalised(token) &&
    !known.has(token.word) &&
    !isCommonWord(token.word) &&
    !PREFERENCE_BOOK(tokens, at);
  const isNamed = tokens.some(({ word }, at) => /^(named|called)$/.test(word) && !known.has(tokens[at + 1]?.word ?? ''));
  return isNamed || tokens.some(isUnknown) ? [textPart(NO_SUCH_NAME)] : [];
};
