import type { Slot } from '../words/concept.js';

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
