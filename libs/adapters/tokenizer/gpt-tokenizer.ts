import { setImmediate } from 'node:timers/promises';
import type { Tokenizer } from '../../ports/chat/tokenizer.port.js';

/** Returns the number of tokens of a text. */
type CountTokens = (text: string) => number;

/** The number of characters that are encoded in one turn of the event loop. Encoding them takes less than a millisecond. */
const SLICE = 2_048;
/** The length above which a word is encoded in parts. The time of encoding grows faster than the word's length. */
const LONGEST_WORD = 128;
/** The size of the package's cache of rare words. The cache is off, because a cached word would keep the whole text in memory. */
const CACHED_WORDS = 0;

/** Special tokens, such as `<|endoftext|>`, are encoded as plain text. By default, the package rejects a text with them. */
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

/**
 * Creates the tokenizer: cl100k_base of the package gpt-tokenizer. The first call loads its table, which takes a tenth of a
 * second and 40 MB.
 */
export const gptTokenizer = (): Tokenizer => {
  let loading: Promise<CountTokens> | undefined;
  const load = (): Promise<CountTokens> => (loading ??= loadTable());
  const nextTurn = takingTurns();
  /** Yields each slice with its number of tokens. Waits for a new turn at the start and after each SLICE or more characters. */
  const countInTurns = async function* (text: string, signal: AbortSignal): AsyncGenerator<readonly [string, number]> {
    const countTokens = await load();
    let inThisTurn = SLICE;
    for (const slice of slicesOf(text)) {
      if (inThisTurn >= SLICE) {
        await nextTurn();
        signal.throwIfAborted();
        inThisTurn = 0;
      }
      inThisTurn += slice.length;
      yield [slice, countTokens(slice)];
    }
  };
  return {
    async count(text, signal) {
      let count = 0;
      for await (const [, tokens] of countInTurns(text, signal)) count += tokens;
      return count;
    },
    async cut(text, most, signal) {
      let count = 0;
      let length = 0;
      for await (const [slice, tokens] of countInTurns(text, signal)) {
        if (count + tokens > most) {
          const countTokens = await load();
          const kept = longestBeginning(slice, most - count, countTokens);
          return { text: text.slice(0, length + kept.length), tokens: count + countTokens(kept), isCut: true };
        }
        count += tokens;
        length += slice.length;
      }
      return { text, tokens: count, isCut: false };
    },
  };
};

/** Returns a function that waits for a turn of the event loop. Concurrent texts never share a turn. */
const takingTurns = (): (() => Promise<unknown>) => {
  let turn: Promise<unknown> = Promise.resolve();
  return () => (turn = turn.then(() => setImmediate()));
};

const loadTable = async (): Promise<CountTokens> => {
  const { encode, setMergeCacheSize } = await import('gpt-tokenizer/encoding/cl100k_base');
  setMergeCacheSize(CACHED_WORDS);
  return (text) => encode(text, PLAIN_TEXT).length;
};

/**
 * Matches a word together with one white-space character before the word. White space before that character is a match of its
 * own. Very long words and very long white space are matched in parts.
 */
const WORDS = new RegExp(`\\s?\\S{1,${LONGEST_WORD}}|\\s{1,${LONGEST_WORD}}(?=\\s)|\\s`, 'gu');
/** Matches the last character of a word and the space after it. A token always ends between these two characters. */
const WORD_AND_SPACE = /^\S $/;

/**
 * Divides a text into slices between words, so that the slices have the same tokens as the whole text. Very long words and
 * very long white space are divided too, although their parts may have other tokens. Undivided, they would take a time that
 * grows with the square of their length.
 */
function* slicesOf(text: string): Generator<string> {
  let start = 0;
  let previous = 0;
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const isPart = previous >= LONGEST_WORD;
    const isBoundary = index - start >= SLICE && (WORD_AND_SPACE.test(text.slice(index - 1, index + 1)) || index - start > 2 * SLICE);
    previous = word.length;
    if (!isPart && !isBoundary) continue;
    yield text.slice(start, index);
    start = index;
  }
  if (start < text.length) yield text.slice(start);
}

/**
 * After the binary search, beginnings that are up to this many characters longer than its result are tried. A longer
 * beginning can have fewer tokens, because more characters can form one token.
 */
const FURTHER = 16;

/** Returns the longest beginning of a text with at most this many tokens. */
const longestBeginning = (text: string, most: number, countTokens: CountTokens): string => {
  const fits = (length: number): boolean => countTokens(text.slice(0, length).toWellFormed()) <= most;
  let [longest, tooLong] = [0, text.length];
  while (tooLong - longest > 1) {
    const middle = Math.floor((longest + tooLong) / 2);
    if (fits(middle)) longest = middle;
    else tooLong = middle;
  }
  for (let further = longest + 1; further <= Math.min(longest + FURTHER, text.length); further++) if (fits(further)) longest = further;
  const beginning = text.slice(0, longest);
  // If the beginning ends with the first half of a surrogate pair, that half is left out.
  return beginning.isWellFormed() ? beginning : beginning.slice(0, -1);
};
