import { createClient, type HttpResponse, type RequestOptions } from './client.js';

/** A response. `json` is the JSON body, or an empty object if there is none. */
export type JsonResponse = HttpResponse<Readonly<Record<string, unknown>>>;

export type Call = (method: string, path: string, options?: RequestOptions) => Promise<JsonResponse>;

/** Returns a function that sends requests, by default with the token. The function rejects if no response arrives. */
export const caller = (url: string, token?: string): Call => {
  const client = createClient(url);
  return async (method, path, options) => {
    const response = await client.send(method, path, { token, ...options });
    return { ...response, json: (response.json ?? {}) as JsonResponse['json'] };
  };
};
