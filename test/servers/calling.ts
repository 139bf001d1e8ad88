import { createClient, type Answer as AnyAnswer, type RequestOptions } from './client.js';

/** A response. `json` has the members of the body and is empty without a body. */
export type Answer = AnyAnswer<Readonly<Record<string, unknown>>>;

export type Call = (method: string, path: string, options?: RequestOptions) => Promise<Answer>;

/** Returns a function that sends requests, by default with the token. It rejects if no response arrives. */
export const caller = (url: string, token?: string): Call => {
  const client = createClient(url);
  return async (method, path, options) => {
    const answer = await client.send(method, path, { token, ...options });
    return { ...answer, json: (answer.json ?? {}) as Answer['json'] };
  };
};
