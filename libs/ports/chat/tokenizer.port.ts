/** The beginning of a text. */
export type CutText = {
  readonly text: string;
  /** The number of tokens in `text`. */
  readonly tokens: number;
  /** Whether the text had more tokens. */
  readonly isCut: boolean;
};

/**
 * Counts the tokens of texts as a language model does. Calls yield to the event loop, so that a text of 1 MiB does not
 * block the process.
 */
export abstract class Tokenizer {
  /** Returns the number of tokens. Rejects when the signal aborts. */
  abstract count(text: string, signal: AbortSignal): Promise<number>;
  /** Returns the first tokens of a text, at most `most`. Never splits a character. */
  abstract cut(text: string, most: number, signal: AbortSignal): Promise<CutText>;
}
