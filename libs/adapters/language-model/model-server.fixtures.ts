import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the server received. */
export type ReceivedCall = { readonly url: string; readonly authorization: string | undefined; readonly body: ModelCall };
type ModelCall = {
  readonly model: string;
  readonly max_tokens: number;
  readonly temperature: number;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
};

/** Responds to a call of the model, for example with a text or with the call of a tool. `nth` is the number of earlier calls. */
export type Respond = (response: ServerResponse, call: ReceivedCall, nth: number) => void;

/** A server with the HTTP interface of a language model. */
export type ModelServer = { readonly url: string; readonly calls: ReceivedCall[]; close(): Promise<void> };

const send = (response: ServerResponse, message: object, finishReason: string): void => {
  const choices = [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: finishReason }];
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ id: '1', object: 'chat.completion', created: 1, model: 'm', choices, usage }));
};

/** Answers with a text. */
export const says =
  (text: string, finishReason = 'stop'): Respond =>
  (response) =>
    send(response, { content: text }, finishReason);

const callOf = (name: string, args: object, at = 1): object => ({
  id: `call_${at}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

/** Answers with a call of a tool. */
export const calls =
  (name: string, args: object): Respond =>
  (response) =>
    send(response, { tool_calls: [callOf(name, args)] }, 'tool_calls');

/** Answers with this many searches in one step. */
export const manyCalls =
  (count: number): Respond =>
  (response) =>
    send(response, { tool_calls: Array.from({ length: count }, (_, at) => callOf('search_pets', {}, at)) }, 'tool_calls');

/** Gives the answers in order, and repeats the last answer for all later calls. */
export const inTurn =
  (...answers: readonly Respond[]): Respond =>
  (response, call, nth) =>
    (answers[nth] ?? answers.at(-1))?.(response, call, nth);

/** Starts a server on loopback. */
export const openModelServer = async (respond: Respond): Promise<ModelServer> => {
  const received: ReceivedCall[] = [];
  const server: Server = createServer((request, response) => void answer(request, response, received, respond));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls: received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const answer = async (request: IncomingMessage, response: ServerResponse, received: ReceivedCall[], respond: Respond): Promise<void> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const call = { url: request.url ?? '', authorization: request.headers.authorization, body: JSON.parse(text) as ModelCall };
  respond(response, call, received.push(call) - 1);
};
