import type { ChatMessage, ChatRole } from '../question.js';
import { tokensOf, type Token } from './token.js';

/**
 * Limits on what is read: characters of a message, characters of a conversation, and the number of messages. They bound
 * the time of an answer (contract 40.9).
 */
const LONGEST_MESSAGE = 4_000;
const LONGEST_CONVERSATION = 8_000;
const MOST_MESSAGES = 120;
/** The number of SYSTEM messages at the start of a conversation that are always read. The operator writes them. */
const MOST_SYSTEM = 3;
/**
 * How much a character counts towards LONGEST_CONVERSATION. An advisor's message takes less time, because only its names of
 * pets and its question are read.
 */
const COST: Readonly<Record<ChatRole, number>> = { SYSTEM: 1, USER: 1, ASSISTANT: 0.25 };

/** A message, or the part of it that is read, with its words. */
export type ReadMessage = ChatMessage & { readonly tokens: readonly Token[] };

export type ReadableConversation = {
  /** The operator's first messages and the newest messages, in the order of the conversation. */
  readonly messages: readonly ReadMessage[];
  /** Whether something was left out. */
  readonly isCut: boolean;
};

/**
 * Returns the part of a conversation that is read: the operator's first messages and the newest messages. Of a long message,
 * both ends are read.
 */
export const readablePart = (messages: readonly ChatMessage[]): ReadableConversation => {
  const others = messages.findIndex(({ role }) => role !== 'SYSTEM');
  const first = messages.slice(0, Math.min(MOST_SYSTEM, others < 0 ? messages.length : others));
  const newest: ChatMessage[] = [];
  let left = LONGEST_CONVERSATION;
  let isCut = false;
  for (let at = messages.length - 1; at >= first.length; at--) {
    if (left <= 0 || newest.length >= MOST_MESSAGES) {
      isCut = true;
      break;
    }
    const { role, content } = messages[at];
    const text = bothEnds(content, Math.min(LONGEST_MESSAGE, left / COST[role]));
    isCut ||= text.length < content.length;
    left -= Math.max(text.length, 1) * COST[role];
    newest.push({ role, content: text });
  }
  const operator = first.map(({ role, content }) => ({ role, content: bothEnds(content, LONGEST_MESSAGE / MOST_SYSTEM) }));
  const read = [...operator, ...newest.reverse()];
  return { messages: read.map((message) => ({ ...message, tokens: tokensOf(withoutEmoji(message.content)) })), isCut };
};

/** Pictures of animals, and the words that they stand for. */
const EMOJI: readonly (readonly [pictures: RegExp, word: string])[] = [
  [/[🐶🐕🐩🦮]+/gu, 'dog'],
  [/[🐱🐈😺]+/gu, 'cat'],
  [/[🐰🐇]+/gu, 'rabbit'],
  [/[🐹]+/gu, 'hamster'],
  [/[🐦🐤🐥🕊]+/gu, 'bird'],
  [/[🦜]+/gu, 'parrot'],
  [/[🦎]+/gu, 'lizard'],
  [/[🐍]+/gu, 'snake'],
  [/[🐢]+/gu, 'tortoise'],
];

/** The text with words for pictures of animals. It is cut again, because a word is longer than its picture. */
const withoutEmoji = (text: string): string =>
  EMOJI.reduce((plain, [pictures, word]) => plain.replaceAll(pictures, ` ${word} `), text).slice(0, Math.max(text.length, SHORT_TEXT));
/** A text of this length is never cut for its pictures. */
const SHORT_TEXT = 400;

const bothEnds = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit / 2)}\n${text.slice(-limit / 2)}`;
