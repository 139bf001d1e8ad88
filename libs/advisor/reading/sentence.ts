import type { Item, Token } from './token.js';
import type { PhraseBook } from '../words/phrases.js';
import { withPolarity } from './polarity.js';

export type Sentence = {
  readonly tokens: readonly Token[];
  /** The phrases of the sentence, and its tokens that belong to no phrase, in order. */
  readonly items: readonly Item[];
  /** Whether the sentence ends with a question mark. */
  readonly isQuestion: boolean;
};

/** The text of a sentence in lower case, with a space before and after each phrase. */
export const textOf = (items: Sentence['items']): string => ` ${items.map(({ text }) => text).join(' ')} `;

/** The maximum number of items of a sentence. A longer sentence is split, so that the time of every rule is bounded. */
const LONGEST_SENTENCE = 100;
const ENDS: ReadonlySet<string> = new Set(['.', '!', '?', ';', '\n']);

/** Splits tokens into sentences, and finds the phrases of the book in each. */
export const sentencesOf = (tokens: readonly Token[], book: PhraseBook): readonly Sentence[] => {
  const sentences: Sentence[] = [];
  let items: Item[] = [];
  let first = 0;
  const end = (at: number, next: number): void => {
    if (items.length > 0)
      sentences.push({ tokens: tokens.slice(first, at), items: withPolarity(items), isQuestion: tokens[at]?.word === '?' });
    items = [];
    first = next;
  };
  for (let at = 0; at < tokens.length;) {
    if (items.length >= LONGEST_SENTENCE) end(at, at);
    const found = book(tokens, at);
    const length = found?.length ?? 1;
    const { word } = tokens[at];
    if (!found && ENDS.has(word)) end(at, at + 1);
    else
      items.push({
        concept: found?.concept ?? null,
        text:
          length === 1
            ? word
            : tokens
                .slice(at, at + length)
                .map((token) => token.word)
                .join(' '),
        isNegated: false,
      });
    at += length;
  }
  end(tokens.length, tokens.length);
  return sentences;
};

/** Returns the same function, which reads each sentence only once. Many rules ask the same about a sentence (contract 40.9). */
export const perSentence = <T>(read: (sentence: Sentence) => T): ((sentence: Sentence) => T) => {
  const known = new WeakMap<Sentence, { readonly result: T }>();
  return (sentence) => {
    const before = known.get(sentence);
    if (before) return before.result;
    const result = read(sentence);
    known.set(sentence, { result });
    return result;
  };
};
