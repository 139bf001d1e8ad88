import { createClient, type Answer as AnyAnswer, type Asked } from './client.js';

/** An answer; `json` is the body's members, none where it has none. */
export type Answer = AnyAnswer<Readonly<Record<string, unknown>>>;

export type Call = (method: string, path: string, asked?: Asked) => Promise<Answer>;

/** Calls a store, with a token unless told another. Rejects when no answer came. */
export const caller = (url: string, token?: string): Call => {
  const client = createClient(url);
  return async (method, path, asked) => {
    const answer = await client.send(method, path, { token, ...asked });
    return { ...answer, json: (answer.json ?? {}) as Answer['json'] };
  };
};
