import type { Tokenizer } from '../../ports/chat/tokenizer.port.js';
import { AnsweringThread } from '../../threads/answering-thread.js';
import { moduleBeside } from '../../threads/start-thread.js';

/** Returns the number of tokens of each text. */
type CountTokens = (texts: readonly string[]) => Promise<readonly number[]>;

/** The number of characters that are sent to the thread at a time. Encoding them takes less than a millisecond. */
const SLICE = 2_048;
/** The length above which a word is encoded in parts. The time of encoding grows faster than the word's length. */
const LONGEST_WORD = 128;

/**
 * Creates the tokenizer: cl100k_base of the package gpt-tokenizer, in a thread of its own. Loading its table takes a tenth of a
 * second on a fast processor, and more than half a second on a slow or busy one. In the main thread, the first chat would delay all
 * other requests by that time. Texts are sent in slices, so that concurrent texts take turns.
 */
export const gptTokenizer = (): Tokenizer => {
  const thread = new AnsweringThread<readonly string[]>({
    program: moduleBeside(import.meta.url, './token-thread-program'),
    nice: 0,
    toError: (reason) => new Error(`the thread that counts tokens failed: ${reason}`),
  });
  const countTokens: CountTokens = async (texts) => (await thread.ask(texts)) as readonly number[];
  /** Yields each slice with its number of tokens. */
  const countSlices = async function* (text: string, signal: AbortSignal): AsyncGenerator<readonly [string, number]> {
    for (const slices of batchesOf(text)) {
      signal.throwIfAborted();
      const tokens = await countTokens(slices);
      for (const [index, slice] of slices.entries()) yield [slice, tokens[index] ?? 0];
    }
  };
  return {
    async count(text, signal) {
      let count = 0;
      for await (const [, tokens] of countSlices(text, signal)) count += tokens;
      return count;
    },
    async cut(text, most, signal) {
      let count = 0;
      let length = 0;
      for await (const [slice, tokens] of countSlices(text, signal)) {
        if (count + tokens > most) {
          const kept = await longestBeginning(slice, most - count, countTokens);
          const [keptTokens = 0] = await countTokens([kept]);
          return { text: text.slice(0, length + kept.length), tokens: count + keptTokens, isCut: true };
        }
        count += tokens;
        length += slice.length;
      }
      return { text, tokens: count, isCut: false };
    },
  };
};

/** Groups the slices of a text, because a message for each part of a long word would take longer than the encoding. */
function* batchesOf(text: string): Generator<readonly string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const slice of slicesOf(text)) {
    batch.push(slice);
    characters += slice.length;
    if (characters < SLICE) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

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
const longestBeginning = async (text: string, most: number, countTokens: CountTokens): Promise<string> => {
  const fits = async (length: number): Promise<boolean> => {
    const [tokens = 0] = await countTokens([text.slice(0, length).toWellFormed()]);
    return tokens <= most;
  };
  let [longest, tooLong] = [0, text.length];
  while (tooLong - longest > 1) {
    const middle = Math.floor((longest + tooLong) / 2);
    if (await fits(middle)) longest = middle;
    else tooLong = middle;
  }
  for (let further = longest + 1; further <= Math.min(longest + FURTHER, text.length); further++)
    if (await fits(further)) longest = further;
  const beginning = text.slice(0, longest);
  // If the beginning ends with the first half of a surrogate pair, that half is left out.
  return beginning.isWellFormed() ? beginning : beginning.slice(0, -1);
};
