import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

/** A request of a command. `signal` aborts it, also while the body of the response is read. */
export type CommandRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal: AbortSignal;
};

/**
 * How a command reaches a service. `directly`: without a proxy, whatever the environment says. The request may carry a token of
 * staff, which a proxy could read. `as the environment says`: Node applies HTTP_PROXY and its siblings if NODE_USE_ENV_PROXY is set.
 */
export type Route = 'directly' | 'as the environment says';

// Agents of our own ignore the proxy variables. Like those of Node, they reuse connections.
const DIRECT_HTTP = new HttpAgent({ keepAlive: true });
const DIRECT_HTTPS = new HttpsAgent({ keepAlive: true });

/** Sends a request. Resolves when the headers of the response have arrived. Follows no redirect. */
export const sendRequest = (
  url: URL,
  route: Route,
  { method = 'GET', headers = {}, body, signal }: CommandRequest,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const [request, direct] = url.protocol === 'https:' ? [httpsRequest, DIRECT_HTTPS] : [httpRequest, DIRECT_HTTP];
    const sent = request(url, { method, headers, signal, ...(route === 'directly' && { agent: direct }) });
    sent.once('response', resolve);
    sent.once('error', reject);
    // Without this, a server that switches to another protocol (status 101) would leave the request without an end.
    sent.once('close', () => reject(new Error('the connection was closed without a response')));
    sent.end(body);
  });

/** Returns a signal that aborts after this many milliseconds. */
export const abortAfter = (clock: Clock, milliseconds: number): AbortSignal => {
  const controller = new AbortController();
  clock.after(milliseconds, () => controller.abort());
  return controller.signal;
};

/** Reads the body of a response as text. */
export const readText = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};
