import type { Catalogue } from './catalogue.js';
import { answerParts } from './answering/answer.js';
import { dialogueOf } from './dialogue/dialogue.js';
import type { Advice, ChatMessage, Question } from './question.js';
import { readablePart, type ReadMessage } from './reading/conversation.js';
import { possibleNames } from './references/candidates.js';
import { knownPets, withMistyped, type KnownPets } from './references/pet-names.js';
import { petsNamedLike, soughtName } from './references/sought-names.js';
import { harmIn } from './refusals/harm.js';
import { chooseBy, type Part } from './wording/part.js';

/** The maximum number of characters of an answer (contract 40.9). */
const LONGEST_ANSWER = 6_000;
const CUT = 'This conversation is long, so I only used its latest part.';

/**
 * Answers the last message of a conversation by fixed rules (contract chapter 40). Every pet, price and trait in the
 * answer is in the catalogue when the answer is made. Equal questions to equal catalogues get equal answers.
 */
export const advise = async (question: Question, catalogue: Catalogue): Promise<Advice> => {
  const { messages, isCut } = readablePart(question.messages);
  const refusal = refusalOf(messages);
  if (refusal) return refusal;
  const names = possibleNames(messages);
  const found = knownPets(names.length > 0 ? await catalogue.named(names) : []);
  const sought = soughtIn(messages, found);
  const near = sought === null ? [] : await petsNamedLike(sought, catalogue);
  const known = sought !== null && near.length > 0 ? withMistyped(found, knownPets(near, sought)) : found;
  const isShort = question.model === 'PET_ADVISOR_TURBO';
  const style = { choose: chooseBy(question.seed, question.temperature), isShort, limit: isShort ? 2 : 3 };
  const dialogue = dialogueOf(messages, known);
  const parts = await answerParts({ ...dialogue, sought: sought === null ? null : { name: sought, meant: near } }, catalogue, style);
  return adviceOf(isCut ? [...parts, { text: CUT, pets: [] }] : parts);
};

/**
 * Checks a conversation before a language model reads it. Returns a refusal if the customer's last message asks for harm
 * (contract 40.7). Otherwise, returns the messages that the model may read. These are the messages that `advise` reads, without
 * earlier requests for harm (contract 41.10).
 */
export const screen = (messages: readonly ChatMessage[]): { readonly refusal: Advice } | { readonly messages: readonly ChatMessage[] } => {
  const read = readablePart(messages).messages;
  const refusal = refusalOf(read);
  if (refusal) return { refusal };
  const harmless = read.filter(({ role, tokens }) => role === 'ASSISTANT' || !harmIn(tokens));
  return { messages: harmless.map(({ role, content }) => ({ role, content })) };
};

/** The name that the last message asks for and that no pet has, or null. */
const soughtIn = (messages: readonly ReadMessage[], { words }: KnownPets): string | null => {
  const last = messages.at(-1);
  return last?.role === 'USER' ? soughtName(last.tokens, words) : null;
};

const refusalOf = (messages: readonly ReadMessage[]): Advice | null => {
  const last = messages.findLast(({ role }) => role === 'USER');
  const harm = last && harmIn(last.tokens);
  return harm ? { text: harm.answer, finishReason: 'CONTENT_FILTER', pets: [] } : null;
};

const adviceOf = (parts: readonly Part[]): Advice => ({
  text: parts
    .map(({ text }) => text)
    .join('\n\n')
    .slice(0, LONGEST_ANSWER),
  finishReason: 'STOP',
  pets: [...new Set(parts.flatMap(({ pets }) => pets.map(({ id }) => id)))],
});
