import { spacedWords } from '../reading/token.js';
import type { Catalogue } from '../catalogue.js';
import { hasAllergy } from '../dialogue/allergy.js';
import { isForOwnAnimal } from '../dialogue/companion.js';
import { factsIn } from '../dialogue/purposes.js';
import { asksForPets, isFactQuestion } from '../dialogue/sentence-kinds.js';
import { isAboutStore, needsGuide } from '../dialogue/care-question.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import { animalOf, isAboutOwnAnimal, isAnimal, namesOwnAnimal } from '../dialogue/own-animal.js';
import { sectionOf, sectionText } from '../guide/care.js';
import { topicsIn } from '../reading/topics-in.js';
import { remarksOn } from '../guide/remarks.js';
import { distinctKinds, kindNamed } from '../kinds/kind.js';
import { termText } from '../guide/behaviours.js';
import { EMERGENCIES, FIRST_MEASURES } from '../guide/general.js';
import { unknownOfStore } from '../guide/store.js';
import { lossIn } from '../reading/loss.js';
import { unreadIn, unreadNounIn } from '../reading/unread.js';
import { joined } from '../wording/criteria.js';
import { isOtherLanguage } from '../reading/language.js';
import { emergencyIn, isIllness } from '../refusals/emergencies.js';
import { INSTRUCTION_ANSWERS, instructionCases } from '../refusals/instructions.js';
import { ALLERGY_QUESTION } from '../wording/ask.js';
import { nameText, SPECIES_WORDS } from '../wording/pet-facts.js';
import { PET_WORDS } from '../words/animals.js';
import { textPart, type Part, type Style } from '../wording/part.js';
import { comparisonParts, growthParts } from './comparison-answer.js';
import { countParts } from './count-answer.js';
import { careParts, NOT_IN_GUIDE, WHICH_ANIMAL } from './care-answer.js';
import { lossParts } from './loss-answer.js';
import { noSuchName, petParts } from './pet-answer.js';
import { petNotes, pointedNotes, suitingParts } from './suiting-answer.js';
import { superlativeParts } from './superlative-answer.js';
import { homeQuestion, NOT_SHOWN, smallTalk } from './small-talk.js';
import { lacksCause, searchParts } from './search-answer.js';

const OWN_ANIMAL =
  'I do not know that about your animal. If it seems ill, hurt or unlike itself, please call a vet today. ' +
  'I can answer questions about its food, exercise, housing, training or company. If you look for a new pet, tell me which kind.';
const OTHER_LANGUAGE = 'I only understand English. Please write to me in English.';
/** Says that the catalogue has nothing by a word that no rule reads. */
const noSuchKind = (noun: string): string =>
  `I find no ${noun} in the catalogue. It has ${joined(Object.values(SPECIES_WORDS).map(([, many]) => many))}. If you mean one of these, tell me which.`;
const NOTHING_WRITTEN = 'Your message has no words that I can read. Tell me in words which kind of pet you look for.';

/** Answers the last message of a dialogue, in parts. */
export const answerParts = async (dialogue: Dialogue, catalogue: Catalogue, style: Style): Promise<readonly Part[]> => {
  const { tokens, sentences } = dialogue;
  if (tokens.length === 0) return [textPart(NOTHING_WRITTEN)];
  if (isOtherLanguage(tokens)) return [textPart(OTHER_LANGUAGE)];
  const emergency = emergencyIn(tokens);
  if (emergency) return [textPart(emergencyText(dialogue, emergency, style))];
  const cases = new Set(sentences.flatMap((sentence) => instructionCases(sentence.tokens)));
  if (cases.size === 0 && isUnknownName(dialogue)) return [textPart(noSuchName([dialogue.sought?.name ?? '']))];
  const noun = cases.size === 0 && dialogue.referred.named.length === 0 ? unreadNounIn(sentences) : null;
  const isOfStore = unknownOfStore(spacedWords(tokens)) !== null;
  if (noun !== null && !isOfStore && !dialogue.hasNewPreferences && topicsIn(tokens).length === 0) return [textPart(noSuchKind(noun))];
  const term = dialogue.referred.named.length === 0 ? termText(spacedWords(tokens)) : null;
  if (term !== null) return [textPart(term)];
  if (cases.size === 0 && isUnclear(dialogue)) return [textPart(NOT_SHOWN)];
  const home = homeQuestion(dialogue, style);
  if (home !== null) return [textPart(home)];
  const notes = [...meantParts(dialogue), ...[...cases].map((one) => textPart(INSTRUCTION_ANSWERS[one])), ...giftParts(dialogue, style)];
  const { about, found } = await contentParts(dialogue, catalogue, style);
  const answers = lossParts(dialogue, [...notes, ...about, ...found, ...allergyQuestion(dialogue)], style);
  const parts = withRemarks(answers, remarksFor(dialogue));
  const unknown = unknownOfStore(spacedWords(tokens));
  const unread = unreadIn(sentences);
  if (unknown === null && parts.length === 0) return [textPart(smallTalk(dialogue, style, unreadIn(sentences, true)))];
  if (unknown === null) return cases.size > 0 || lossIn(tokens) !== null ? parts : withUnread(parts, unread);
  // A list of pets says nothing about the store, and neither does a question back.
  const known = found.length > 0 ? [] : parts.filter(({ text }) => text !== WHICH_ANIMAL && text !== NOT_IN_GUIDE);
  const seeks =
    !/ why do /.test(spacedWords(tokens)) &&
    sentences.some(({ items }) => items.some(({ concept, text }) => isAnimal(concept) || PET_WORDS.has(text)));
  return dialogue.hasNewPreferences && seeks ? [textPart(unknown), ...parts] : [...known, textPart(unknown)];
};

/** What the guide says to what the message tells beside its main matter: a baby at home, "all in", an appointment. */
const remarksFor = (dialogue: Dialogue): readonly string[] => {
  const { tokens, sentences, preferences, subject } = dialogue;
  const named = sentences.flatMap(({ items }) => items.flatMap(({ concept }) => animalOf(concept) ?? []));
  const about = [...named, ...(named.length === 0 && subject ? [subject] : [])].map(({ species }) => species);
  const text = spacedWords(tokens);
  const kinds = NOT_ALONE.test(text) ? distinctKinds(named.flatMap(({ species, breed }) => kindNamed(species, breed) ?? [])) : [];
  return [
    ...remarksOn(text, [...about, ...(about.length === 0 ? preferences.species : [])]),
    ...kinds.map((kind) => `${kind.note('pair')} The catalogue does not say which of them get along: ask the staff.`),
  ];
};
/** "I read that they can't be alone" asks about company of their kind. */
const NOT_ALONE =
  / (?:can't|cannot|shouldn't|should not|can not|mustn't|not|never) (?:[^ ]+ ){0,2}(?:be|live|kept|stay|keep) (?:[^ ]+ )?(?:alone|singly|on (?:its|their) own) (?!for|all|during|while|at|when|[0-9])/;

/** Adds remarks before the first list of pets, or at the end. What the answer already says is not repeated. */
const withRemarks = (parts: readonly Part[], remarks: readonly string[]): readonly Part[] => {
  const answer = parts.map(({ text }) => text).join(' ');
  const left = remarks.filter((one) => !answer.includes(one.slice(0, SAME_BEGINNING)));
  if (left.length === 0) return parts;
  const list = parts.findIndex(({ pets, text }) => pets.length > 0 && /(?:^|\n)1\. /.test(text));
  const at = list >= 0 ? list : parts.at(-1)?.text.endsWith('?') ? parts.length - 1 : parts.length;
  return [...parts.slice(0, at), textPart(left.join(' ')), ...parts.slice(at)];
};
/** The number of characters by which a remark is recognised in an answer. */
const SAME_BEGINNING = 40;

/** Names what no rule read and the answer does not mention. A question of the advisor stays the last part. */
const withUnread = (parts: readonly Part[], unread: readonly string[]): readonly Part[] => {
  const answer = parts.map(({ text }) => text.toLowerCase()).join(' ');
  const left = unread.filter((one) => !answer.includes(one.toLowerCase()));
  if (left.length === 0) return parts;
  const note = textPart(
    `Neither the catalogue nor my guide says anything about ${left.some((one) => one.includes(' ')) ? 'this: ' : ''}${joined(left, 'or')}. Please ask the staff.`,
  );
  const end = parts.at(-1)?.text.endsWith('?') ? -1 : parts.length;
  return [...parts.slice(0, end), note, ...parts.slice(end === -1 ? -1 : parts.length)];
};

/** What the catalogue and the guide say: `about` pets and care that the message asks about, and pets that were `found` for it. */
const contentParts = async (
  dialogue: Dialogue,
  catalogue: Catalogue,
  style: Style,
): Promise<{ readonly about: readonly Part[]; readonly found: readonly Part[] }> => {
  const { sentences } = dialogue;
  const counted = await countParts(dialogue, catalogue);
  if (counted.length > 0) return { about: counted, found: [] };
  const growth = await growthParts(dialogue, catalogue);
  const compared = await comparisonParts(dialogue, catalogue, style);
  const best = compared.length > 0 ? compared : [...growth, ...(await superlativeParts(dialogue, catalogue, style))];
  const pets = best.length > 0 ? best : petParts(dialogue, style);
  const kinds = compared.length > 0 ? [] : pets.length > 0 ? petNotes(dialogue, petsOf(pets)) : pointedNotes(dialogue);
  const care = (pets.length > 0 && !sentences.some(needsGuide)) || isGone(dialogue) ? [] : careParts(dialogue, style);
  const isOwn =
    pets.length === 0 &&
    !sentences.some(isForOwnAnimal) &&
    isAboutOwnAnimal(sentences, dialogue.askedFor.length + dialogue.shown.length > 0);
  const own = isOwn && care.length === 0 ? [textPart(OWN_ANIMAL)] : [];
  // A question about care gets pets only if pets are asked for, or if a search goes on.
  const isSearching =
    dialogue.hasNewPreferences && (dialogue.shown.length > 0 || sentences.some((one) => asksForPets(one) || hasAllergy(one)));
  const isAnswered = isOwn || pets.length > 0 || (kinds.length > 0 && !dialogue.hasNewPreferences) || (care.length > 0 && !isSearching);
  const searched = isAnswered ? [] : await searchParts(dialogue, catalogue, style);
  // The guide comes before every pet if somebody has an allergy (contract 40.5).
  const about = sentences.some(hasAllergy) ? [...care, ...pets] : [...pets, ...kinds, ...care];
  return { about: [...about, ...own], found: isOwn ? searched : [...suitingParts(dialogue, petsOf(searched), style), ...searched] };
};

/** What to do in an emergency. An ill animal gets what helps its species until the vet sees it; after poison only the vet says that. */
const emergencyText = ({ sentences, subject, tokens }: Dialogue, emergency: keyof typeof EMERGENCIES, { isShort }: Style): string => {
  const [named = subject] = sentences.flatMap(({ items }) => items.flatMap(({ concept }) => animalOf(concept) ?? []));
  const section = EMERGENCIES[emergency];
  const isIll = emergency === 'animal' && named !== null && isIllness(tokens);
  return sectionText(isIll ? { ...section, more: `${FIRST_MEASURES[named.species]} I cannot judge how bad it is.` } : section, isShort);
};

const petsOf = (parts: readonly Part[]): Part['pets'] => parts.flatMap(({ pets }) => pets);

/** Whether the last message asks for a pet by a name that no pet has, and that is close to no name. */
const isUnknownName = ({ sought, referred, sentences }: Dialogue): boolean =>
  !!sought && sought.meant.length === 0 && referred.named.length === 0 && !sentences.some(namesOwnAnimal);

/** Whether a message asks for a fact of "him" or "it", and no pet was shown or named. */
const isUnclear = (dialogue: Dialogue): boolean => isUnclearFact(dialogue) || isUnclearOther(dialogue);

/** "What about the other one?" without a list. */
const isUnclearOther = ({ sentences, shown, tokens, referred, hasNewPreferences }: Dialogue): boolean =>
  shown.length + referred.named.length === 0 &&
  !hasNewPreferences &&
  tokens.length <= SHORT_MESSAGE &&
  / (?:the other one|another one|the others?|the rest|the next one|the last one|that one|this one) /.test(spacedWords(tokens)) &&
  !sentences.some(({ items }) => items.some(({ concept }) => isAnimal(concept)));
const SHORT_MESSAGE = 8;

const isUnclearFact = ({ sentences, shown, referred, subject, preferences: { ownPets, species } }: Dialogue): boolean =>
  sentences.length === 1 &&
  sentences.every((one) => isFactQuestion(one) && !one.items.some(({ concept }) => isAnimal(concept))) &&
  factsIn(sentences).length > 0 &&
  sentences[0].items.some(({ concept }) => concept?.kind === 'pronoun') &&
  shown.length + referred.named.length + ownPets.length + species.length === 0 &&
  subject === null;

/** Says which pet a mistyped name means. */
const meantParts = ({ sought }: Dialogue): readonly Part[] =>
  sought && sought.meant.length > 0 ? [textPart(`I find no ${sought.name}, so I take it for ${nameText(sought.meant[0])}.`)] : [];

const giftParts = ({ tokens }: Dialogue, { isShort }: Style): readonly Part[] => {
  const section = topicsIn(tokens).includes('gift') ? sectionOf('gift', null) : null;
  return section ? [textPart(sectionText(section, isShort))] : [];
};

/** Whether a message asks how to get pets that nobody can get now. */
const isGone = ({ sentences, referred: { named } }: Dialogue): boolean =>
  named.length > 0 && named.every(({ status }) => status !== 'AVAILABLE') && sentences.some(isAboutStore);

/** Asks for the cause of an allergy, unless the message names an animal or a pet was shown. */
const allergyQuestion = (dialogue: Dialogue): readonly Part[] => {
  const { sentences, shown, askedFor, referred } = dialogue;
  const namesAnimal = sentences.some(({ items }) => items.some(({ concept }) => isAnimal(concept)));
  const isAsked = namesAnimal || shown.length + referred.named.length > 0 || askedFor.includes('allergy');
  return lacksCause(dialogue) && !isAsked ? [textPart(ALLERGY_QUESTION)] : [];
};
