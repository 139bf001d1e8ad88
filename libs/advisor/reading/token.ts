import { usualSpelling } from './contractions.js';
import type { Concept } from '../words/concept.js';

/** A word, a number or a mark of a message. */
export type Token = {
  /** In lower case, without a final `'s`. A contraction has its apostrophe, even if the message omits it. */
  readonly word: string;
  /** As written. */
  readonly text: string;
};

/** Matches a token. No two alternatives start with the same character, so the time is linear for every text. */
const TOKEN = /\p{L}[\p{L}\p{M}]*(?:'\p{L}+)*|\d+(?:[.,]\d+)*|[$€£¥%.!?;,:()\n"-]/gu;
/** The number of characters after which a token is cut. */
const LONGEST_WORD = 40;
const LETTER = /\p{L}/u;

/** Splits text into tokens. Hyphens between words, and characters of other kinds, separate tokens. */
export const tokensOf = (text: string): readonly Token[] => {
  const plain = text
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll(/[“”«»]/g, '"')
    .replaceAll(/[–—]/g, ', ');
  const tokens: Token[] = [];
  for (const { 0: found, index } of plain.matchAll(TOKEN)) {
    // `2-year-old` and `mid-sized` are separate words; a hyphen is a mark only between numbers or spaces.
    if (found === '-' && LETTER.test((plain[index - 1] ?? '') + (plain[index + 1] ?? ''))) continue;
    const short = found.slice(0, LONGEST_WORD);
    tokens.push({ word: usualSpelling(short.toLowerCase().replace(/'s$/, '')), text: short });
  }
  return withHundreds(tokens);
};

const HUNDREDS: Readonly<Record<string, number>> = { hundred: 100, thousand: 1_000 };
const COUNTS: Readonly<Record<string, number>> = {
  a: 1, one: 1, two: 2, couple: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10,
}; // prettier-ignore

const TENS: Readonly<Record<string, string>> = {
  twenty: '20',
  thirty: '30',
  forty: '40',
  fifty: '50',
  sixty: '60',
  seventy: '70',
  eighty: '80',
  ninety: '90',
};

/** Replaces "fifty" by 50, and "two hundred" by one token, the number 200. */
const withHundreds = (tokens: readonly Token[]): readonly Token[] =>
  tokens.flatMap((token, at) => {
    if ((Object.hasOwn(COUNTS, token.word) || /^\d{1,2}$/.test(token.word)) && Object.hasOwn(HUNDREDS, tokens[at + 1]?.word ?? ''))
      return [];
    if (Object.hasOwn(TENS, token.word)) return [{ word: TENS[token.word], text: TENS[token.word] }];
    if (!Object.hasOwn(HUNDREDS, token.word)) return [token];
    const before = tokens[at - 1]?.word ?? '';
    const number = String(
      (Object.hasOwn(COUNTS, before) ? COUNTS[before] : /^\d{1,2}$/.test(before) ? Number(before) : 1) * HUNDREDS[token.word],
    );
    return [{ word: number, text: number }];
  });

/** Returns the words of tokens with a space around each, for patterns of several words: ` (?:no|not) dogs `. */
export const spacedWords = (tokens: readonly Token[]): string => ` ${tokens.map(({ word }) => word).join(' ')} `;

/**
 * A pattern of up to this many words of a sentence between two parts of another pattern. The limit keeps the time of a match linear.
 */
export const gap = (words: number): string => `(?:[^ .!?;\\n]+ ){0,${words}}`;

export const isWord = ({ text }: Token): boolean => LETTER.test(text);
export const isCapitalised = ({ text }: Token): boolean => /^\p{Lu}/u.test(text);
/** Returns a text with a capital as its first letter. */
export const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A phrase with a meaning, or a token without one. */
export type Item = {
  readonly concept: Concept | null;
  /** The words of the phrase in lower case, or the mark. */
  readonly text: string;
  readonly isNegated: boolean;
};
