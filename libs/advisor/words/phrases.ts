import type { Token } from '../reading/token.js';
import { tokensOf } from '../reading/token.js';
import type { Concept } from './concept.js';

type Entry = { readonly words: readonly string[]; readonly concept: Concept };
/** Finds the longest phrase that begins at a token. */
export type PhraseBook = (tokens: readonly Token[], at: number) => { readonly concept: Concept; readonly length: number } | null;

/** Pairs of phrases and their meaning. Commas or line breaks separate the phrases of one text. */
export type Phrases = readonly (readonly [phrases: string, concept: Concept])[];

/** The maximum number of words of a phrase. Further words are ignored. */
const LONGEST_PHRASE = 6;

/** Makes a book of phrases. If a phrase is listed twice, its first meaning counts. */
export const phraseBook = (phrases: Phrases): PhraseBook => {
  const byFirst = new Map<string, Entry[]>();
  for (const [texts, concept] of phrases)
    for (const text of texts.split(/[,\n]/)) {
      const words = tokensOf(text).map(({ word }) => word);
      const [first] = words;
      if (first === undefined) continue;
      byFirst.set(first, [...(byFirst.get(first) ?? []), { words: words.slice(0, LONGEST_PHRASE), concept }]);
    }
  for (const entries of byFirst.values()) entries.sort((one, other) => other.words.length - one.words.length);
  return (tokens, at) => {
    const entries = byFirst.get(tokens[at]?.word ?? '');
    const found = entries?.find(({ words }) => words.every((word, nth) => tokens[at + nth]?.word === word));
    return found ? { concept: found.concept, length: found.words.length } : null;
  };
};
