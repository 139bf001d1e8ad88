import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';

/** Limits of one request (contract 33.3). Documents of real issuers have a few KiB. */
const MAX_BYTES = 256 * 1024;
const MAX_SECONDS = 5;
const HEADER_BYTES = 16 * 1024;

/** Thrown when the issuer sent no usable document. The message is one line for the log. */
export class IssuerFault extends Error {
  override readonly name = 'IssuerFault';
}

/** Reads JSON objects from one origin. */
export type OriginClient = {
  /** Returns the object at a URL. Rejects with IssuerFault if it cannot be read, or if the URL is on another origin. */
  readObject(url: URL): Promise<Readonly<Record<string, unknown>>>;
};

/**
 * Creates a client that sends requests only to `origin`. It follows no redirect, keeps no connection and uses no proxy: its
 * own agents ignore the proxy variables of the environment.
 */
export const createOriginClient = (origin: string, clock: Clock): OriginClient => ({
  async readObject(url) {
    // The address for messages. It has no query and no credentials, because these parts of a URL may be secret.
    const address = `${url.origin}${url.pathname}`;
    if (url.origin !== origin || url.username || url.password) throw new IssuerFault(`${address} is not on the issuer's origin ${origin}`);
    const ending = new AbortController();
    const cancel = clock.after(MAX_SECONDS * 1_000, () => ending.abort());
    try {
      return parseObject(await readBody(await get(url, ending.signal)));
    } catch (error) {
      throw new IssuerFault(`${address}: ${ending.signal.aborted ? `no complete response within ${MAX_SECONDS} s` : faultOf(error)}`);
    } finally {
      cancel();
      // Closes the connection if the response was not read to its end.
      ending.abort();
    }
  },
});

const faultOf = (error: unknown): string => {
  if (error instanceof IssuerFault) return error.message;
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'the request failed';
};

const get = (url: URL, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = send(url, signal);
    // Like a timer of the Clock, a request for keys does not keep a stopping process alive.
    sent.once('socket', (socket) => void socket.unref());
    sent.once('response', resolve);
    sent.on('error', reject);
    // When the server switches to another protocol (status 101), the request closes without an error.
    sent.once('close', () => reject(new IssuerFault('the connection was closed without a response')));
    sent.end();
  });

const send = (url: URL, signal: AbortSignal): ClientRequest => {
  const headers = { accept: 'application/json', 'user-agent': 'petstore' };
  const options = { signal, headers, maxHeaderSize: HEADER_BYTES, insecureHTTPParser: false };
  if (url.protocol !== 'https:') return httpRequest(url, { ...options, agent: new HttpAgent() });
  // The certificate is verified even with NODE_TLS_REJECT_UNAUTHORIZED=0.
  return httpsRequest(url, { ...options, agent: new HttpsAgent(), rejectUnauthorized: true, minVersion: 'TLSv1.2' });
};

const readBody = async (response: IncomingMessage): Promise<Buffer> => {
  const status = response.statusCode ?? 0;
  if (status !== 200)
    throw new IssuerFault(`status ${status}${status >= 300 && status < 400 ? ', a redirect, which is not followed' : ''}`);
  const chunks: Buffer[] = [];
  let read = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > MAX_BYTES) throw new IssuerFault(`longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const parseObject = (body: Buffer): Readonly<Record<string, unknown>> => {
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new IssuerFault('no JSON object');
  return value as Readonly<Record<string, unknown>>;
};

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
};
