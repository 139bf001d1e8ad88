import { settle, type Preferences } from '../preferences/preferences.js';
import type { Sentence } from '../reading/sentence.js';
import { PURPOSE_BOOK } from '../words/books.js';
import type { Slot } from '../words/concept.js';

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
