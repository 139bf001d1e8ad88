import type { CataloguePet } from '../catalogue.js';
import { isAboutStore, needsGuide, topicsOf } from '../dialogue/care-question.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import { asksTaste, factsIn, purposesIn } from '../dialogue/purposes.js';
import { sectionOf, sectionText } from '../guide/care.js';
import { topicsIn } from '../reading/topics-in.js';
import { isCapitalised, isWord, spacedWords, type Token } from '../reading/token.js';
import { joined, unrecordedText } from '../wording/criteria.js';
import { headline, nameText, STATUS_WORDS } from '../wording/pet-facts.js';
import { lines } from '../wording/recommend.js';
import { humanYearsText } from '../wording/facts.js';
import { comparison, detailsOf, factsOfPets, sumText } from '../wording/details.js';
import { textPart, type Part, type Style } from '../wording/part.js';
import type { Sentence } from '../reading/sentence.js';
import type { Fact } from '../words/concept.js';
import { PREFERENCE_BOOK } from '../words/books.js';
import { isCommonWord } from '../words/common-words.js';
import { choiceBy, chosenText, factOfChoice, isChoice, thanOf } from '../dialogue/choice.js';

/** The maximum number of pets that an answer compares, or about which it states facts. */
const MOST_PETS = 4;
/** The maximum number of pets of each name, if a message asks for several names. */
const MOST_NAMESAKES = 2;
const HUMAN_YEARS = / (?:human|people|person|our|dog|cat) (?:years|age) /;
/** Words that compare pets field by field, also pets that share a name. */
const COMPARES_SHARED = / (?:compare|comparing|comparison|versus|vs|differ|differs|difference|differences) /;

/** Answers questions about pets that the last message names, or refers to by a pronoun. */
export const petParts = (dialogue: Dialogue, style: Style): readonly Part[] => {
  const { referred, tokens, sentences } = dialogue;
  if (referred.named.length === 0 && asksTaste(tokens)) return [];
  const facts = factsIn(sentences);
  const purposes = purposesIn(tokens);
  const choice = sentences.some(isChoice);
  // "How do I get him?" is about one pet. "How do I adopt it?" may be about any.
  const asksHow =
    referred.pointed.length === 1 && sentences.some(isAboutStore) && tokens.some(({ word }) => /^(he|him|she|her)$/.test(word));
  const isPointed = asksHow || facts.length > 0 || purposes.has('details') || purposes.has('compare') || choice;
  const candidates =
    referred.named.length > 0
      ? // "Compare her with Daisy."
        [...(purposes.has('compare') && referred.pointed.length === 1 ? referred.pointed : []), ...referred.named]
      : isPointed
        ? ([pointedPets(dialogue, choice), shownPets(dialogue)].find((some) => some.length > 0) ?? [])
        : [];
  const pets = candidates.slice(0, MOST_PETS);
  const missing = purposes.has('details') || purposes.has('compare') || facts.length > 0 ? unknownNames(dialogue) : [];
  if (pets.length === 0) return missing;
  // "What should I feed Rex?" is about the species of Rex: `careParts` answers it.
  const care = sentences.filter(needsGuide);
  // "How do I adopt Rex?" gets the status of Rex before the guide.
  const isOfOne = referred.named.length > 0 || asksHow;
  if (facts.length === 0 && isOfOne && care.some(isAboutStore)) return [factsOfPets(pets, ['status'])];
  if (care.length > 0 && (facts.length === 0 || care.some((question) => isOnlyCare(question, facts)))) return [];
  if (facts.length === 0 && isSharing(candidates) && (candidates.length > MOST_PETS || !COMPARES_SHARED.test(spacedWords(tokens))))
    return [...missing, ...namesakes(candidates, style), ...traitParts(dialogue), ...adoptingParts(dialogue, style, pets)];
  return [
    ...photoParts(dialogue, style),
    aboutPets(dialogue, style, pets),
    ...missing,
    ...traitParts(dialogue),
    ...adoptingParts(dialogue, style, pets),
  ];
};

/** Whether several pets have the same name. */
const isSharing = (pets: readonly CataloguePet[]): boolean => new Set(pets.map(({ name }) => name)).size < pets.length;

/** Lists pets that share a name: "2 pets are called Max." */
const namesakes = (pets: readonly CataloguePet[], style: Style): readonly Part[] => {
  const names = [...Map.groupBy(pets, nameText)].map(([name, same]) =>
    same.length === 1 ? `1 pet is called ${name}` : `${same.length} pets are called ${name}`,
  );
  const shown = [...Map.groupBy(pets, nameText).values()]
    .flatMap((same) => (names.length > 1 ? same.slice(0, MOST_NAMESAKES) : same))
    .slice(0, MOST_PETS);
  const line = (pet: CataloguePet, nth: number): string =>
    pet.status === 'AVAILABLE'
      ? lines([pet], nth + 1, style, () => null)
      : `${nth + 1}. ${headline(pet)}. ${nameText(pet)} is ${STATUS_WORDS[pet.status]}.`;
  return [{ text: `${joined(names)}:\n${shown.map(line).join('\n')}`, pets: shown }];
};

/** Whether a care question has words of facts and asks for none: "How much is she per month?", "My daughter is allergic". */
const isOnlyCare = (question: Sentence, facts: readonly Fact[]): boolean =>
  (topicsOf(question).includes('growth') && facts.every((fact) => fact === 'size')) ||
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
  if (HUMAN_YEARS.test(spacedWords(tokens))) return { text: pets.map(humanYearsText).join(' '), pets };
  const facts = factsIn(sentences);
  // "Is Coco a boy or a girl?" compares no pets.
  const words = facts.includes('gender') ? tokens.filter(({ word }) => word !== 'or') : tokens;
  if (pets.length > 1 && (purposesIn(words).has('compare') || facts.length === 0)) return compared(pets, sentences, isShort);
  const sum = facts.includes('price') && ASKS_TOTAL.test(spacedWords(tokens)) ? sumText(pets) : null;
  if (sum !== null) return { text: `${factsOfPets(pets, facts).text}\n${sum}`, pets };
  return facts.length > 0 ? factsOfPets(pets, facts) : detailsOf(pets[0], isShort);
};

/** Words of a message that asks what several pets cost in all. */
const ASKS_TOTAL = / (?:together|altogether|in total|total|in all|all in|both|combined|sum) /;

/** Compares pets field by field, after a sentence for each comparison of the message: "which one is older and which is cheaper". */
const compared = (pets: readonly CataloguePet[], sentences: readonly Sentence[], isShort: boolean): Part => {
  const thans = sentences.flatMap(({ items }) => items.flatMap(({ concept, isNegated }) => (isNegated ? [] : (thanOf(concept) ?? []))));
  const chosen = [...new Set(thans)].flatMap((than) => chosenText(pets, than) ?? []);
  const part = comparison(pets, isShort);
  return chosen.length === 0 ? part : { ...part, text: `${chosen.join(' ')}\n${part.text}` };
};

/** Says how to adopt, if the message says "adopt" or the like and one of the pets is available. */
const adoptingParts = ({ tokens }: Dialogue, { isShort }: Style, pets: readonly CataloguePet[]): readonly Part[] => {
  const section = sectionOf('adopting', null);
  const wants =
    tokens.some(({ word }) => /^(adopt|take|buy|reserve|order|hold|book|collect)$/.test(word)) &&
    pets.some(({ status }) => status === 'AVAILABLE');
  return wants && section ? [textPart(sectionText(section, isShort))] : [];
};

/** Says where the photos are, if the message asks for one. */
const photoParts = ({ tokens }: Dialogue, { isShort }: Style): readonly Part[] => {
  const section = topicsIn(tokens).includes('photos') ? sectionOf('photos', null) : null;
  return section ? [textPart(sectionText(section, isShort))] : [];
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
    // "Dear Sir or Madam"
    !/^(dear|sir|madam|mr|mrs|ms|miss)$/.test(token.word) &&
    !PREFERENCE_BOOK(tokens, at);
  const afterCue = tokens.flatMap((token, at) =>
    isWord(token) && /^(named|called)$/.test(tokens[at - 1]?.word ?? '') && !known.has(token.word) ? [token.text] : [],
  );
  const names = [...new Set([...afterCue, ...tokens.filter(isUnknown).map(({ text }) => text)])].slice(0, MOST_NAMESAKES);
  return names.length > 0 ? [textPart(noSuchName(names))] : [];
};

/** Says that no pet of the catalogue has one of these names. */
export const noSuchName = (names: readonly string[]): string =>
  `I find no pet of that name: there is no ${joined(names, 'or')} in the catalogue.`;
