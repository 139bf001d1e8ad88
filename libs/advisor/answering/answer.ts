import type { Catalogue } from '../catalogue.js';
import { hasAllergy } from '../dialogue/allergy.js';
import { isForOwnAnimal } from '../dialogue/companion.js';
import { isAboutStore, needsGuide } from '../dialogue/care-question.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import { isAboutOwnAnimal, isAnimal, namesOwnAnimal } from '../dialogue/own-animal.js';
import { purposesIn } from '../dialogue/purposes.js';
import { sectionText } from '../guide/care.js';
import { EMERGENCIES } from '../guide/general.js';
import { unknownOfStore } from '../guide/store.js';
import { isOtherLanguage } from '../reading/language.js';
import { emergencyIn } from '../refusals/emergencies.js';
import { INSTRUCTION_ANSWERS, instructionCases } from '../refusals/instructions.js';
import { ALLERGY_QUESTION, nextQuestion } from '../wording/ask.js';
import { nameText } from '../wording/pet-facts.js';
import { textPart, type Part, type Style } from '../wording/part.js';
import { careParts } from './care-answer.js';
import { lossParts } from './loss-answer.js';
import { petParts } from './pet-answer.js';
import { suitingParts } from './suiting-answer.js';
import { superlativeParts } from './superlative-answer.js';
import { asksForIdeas, lacksCause, searchParts } from './search-answer.js';

const CAPABILITIES =
  'I am the automatic advisor of this store. I find available pets that meet your criteria, say why they fit, compare pets, and answer questions about care from a short guide.';
const UNKNOWN =
  'I do not know that. I can find pets of this store, state what the catalogue says about them, and answer questions about their care.';
const OWN_ANIMAL =
  'I do not know that about your animal. If it seems ill, hurt or unlike itself, please call a vet today. ' +
  'I can answer questions about its food, exercise, housing, training or company. If you look for a new pet, tell me which kind.';
const OTHER_LANGUAGE = 'I only understand English. Please write to me in English.';
const noSuchName = (name: string): string => `I find no pet of that name: there is no ${name} in the catalogue.`;
const NOTHING_WRITTEN = 'Your message has no words that I can read.';

/** Answers the last message of a dialogue, in parts. */
export const answerParts = async (dialogue: Dialogue, catalogue: Catalogue, style: Style): Promise<readonly Part[]> => {
  const { tokens, sentences } = dialogue;
  if (tokens.length === 0) return [textPart(NOTHING_WRITTEN)];
  if (isOtherLanguage(tokens)) return [textPart(OTHER_LANGUAGE)];
  const emergency = emergencyIn(tokens);
  if (emergency) return [textPart(sectionText(EMERGENCIES[emergency], style.isShort))];
  const cases = new Set(sentences.flatMap((sentence) => instructionCases(sentence.tokens)));
  const { sought } = dialogue;
  if (sought && sought.meant.length === 0 && cases.size === 0 && dialogue.referred.named.length === 0 && !sentences.some(namesOwnAnimal))
    return [textPart(noSuchName(sought.name))];
  const meant =
    sought && sought.meant.length > 0 ? [textPart(`I find no ${sought.name}, so I take it for ${nameText(sought.meant[0])}.`)] : [];
  const notes = [...meant, ...[...cases].map((one) => textPart(INSTRUCTION_ANSWERS[one]))];
  const best = await superlativeParts(dialogue, catalogue, style);
  const pets = best.length > 0 ? best : petParts(dialogue, style);
  const care = (pets.length > 0 && !sentences.some(needsGuide)) || isGone(dialogue) ? [] : careParts(dialogue, style);
  const isOwn = pets.length === 0 && !sentences.some(isForOwnAnimal) && isAboutOwnAnimal(sentences, dialogue.askedFor.length > 0);
  const own = isOwn && care.length === 0 ? [textPart(OWN_ANIMAL)] : [];
  // A message with a care question and new preferences gets both answers.
  const isAnswered = isOwn || pets.length > 0 || (care.length > 0 && !dialogue.hasNewPreferences);
  const searched = isAnswered ? [] : await searchParts(dialogue, catalogue, style);
  const found = isOwn
    ? searched
    : [
        ...suitingParts(
          dialogue,
          searched.flatMap((part) => part.pets),
          style,
        ),
        ...searched,
      ];
  // The guide comes before every pet if somebody has an allergy (contract 40.5).
  const about = sentences.some(hasAllergy) ? [...care, ...pets] : [...pets, ...care];
  const parts = lossParts(dialogue, [...notes, ...about, ...own, ...found, ...allergyQuestion(dialogue)], style);
  const unknown = unknownOfStore(` ${tokens.map(({ word }) => word).join(' ')} `);
  if (unknown !== null && (found.length === 0 || !dialogue.hasNewPreferences))
    return [...(found.length > 0 ? [] : parts), textPart(unknown)];
  return parts.length > 0 ? parts : [textPart(smallTalk(dialogue, style))];
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

const UNSURE = / (?:don't|do not|not|no|dunno)(?: [^ ]+)? (?:know|sure|idea|clue|decided)(?= )/;

/** Whether a customer does not know which pet to look for: "I don't know what I want", "not sure". */
const isUnsure = (tokens: Dialogue['tokens']): boolean => UNSURE.test(` ${tokens.map(({ word }) => word).join(' ')} `);

const smallTalk = ({ tokens, preferences, askedFor }: Dialogue, { choose }: Style): string => {
  const purposes = purposesIn(tokens);
  if (purposes.has('thanks')) return choose('thanks', ['You are welcome.', 'You are welcome. I am here if you have another question.']);
  const question = nextQuestion(preferences, askedFor, choose);
  if (question && (asksForIdeas(tokens) || isUnsure(tokens))) return question;
  if (!purposes.has('greeting') && !purposes.has('capability')) return UNKNOWN;
  return [purposes.has('greeting') && 'Hello.', CAPABILITIES, question].filter(Boolean).join(' ');
};
