import { createParser } from 'eventsource-parser';

/** The answer of the chat as one object. */
export type Completion = {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly message: { readonly role: string; readonly content: string };
    readonly finishReason: string;
  }[];
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number; readonly totalTokens: number };
};

/** A piece of a streamed answer. */
export type Chunk = {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: { readonly role?: string; readonly content?: string };
    readonly finish_reason: string | null;
  }[];
};

/** An event of a stream. */
export type StreamEvent = { readonly event: string | undefined; readonly data: string };

export const CHAT = '/v1/chat/completions';

/** Returns the body of a request with one message of a user. */
export const ask = (content: string, more: object = {}): object => ({ messages: [{ role: 'user', content }], ...more });

/** Reads a stream with a standard parser. The text arrives in the given pieces. */
export const parseEvents = (...pieces: readonly string[]): readonly StreamEvent[] => {
  const events: StreamEvent[] = [];
  const parser = createParser({ onEvent: ({ event, data }) => events.push({ event, data }) });
  for (const piece of pieces) parser.feed(piece);
  return events;
};

/** Returns the chunks of a stream, without `[DONE]`. */
export const chunksIn = (stream: string): readonly Chunk[] =>
  parseEvents(stream)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data) as Chunk);

/** Returns the text of a streamed answer. */
export const textOf = (chunks: readonly Chunk[]): string => chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
