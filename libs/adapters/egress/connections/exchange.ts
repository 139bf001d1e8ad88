import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { EgressFailed, type OutgoingResponse } from '../../../ports/egress.port.js';
import { exchangeFailure } from '../failures.js';

/** The path with the query, the headers and the body of a POST request. */
export type Post = { readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Maximum number of body bytes that are returned. */
const EXCERPT_BYTES = 2 * 1024;
/**
 * Maximum number of body bytes that are read (contract 21.5). It exceeds EXCERPT_BYTES, so that most receivers can send
 * their whole response before the connection is closed.
 */
const READ_BYTES = 64 * 1024;
/** Maximum size of the response headers (contract 21.5). */
const HEADER_BYTES = 16 * 1024;
/** Maximum number of interim responses (1xx). Without a limit a receiver could keep this process busy. */
const MAX_INTERIM_RESPONSES = 10;

/**
 * Sends one POST request over `connection` and returns the response. A connection is never reused, because the address
 * must be checked for each request (contract 21.3).
 */
export const exchange = async (connection: Duplex, post: Post): Promise<OutgoingResponse> => {
  const response = await sendPost(connection, post).catch((error: unknown) => Promise.reject(exchangeFailure(error, false)));
  const body = await readExcerpt(response).catch((error: unknown) => Promise.reject(exchangeFailure(error, true)));
  return { status: response.statusCode ?? 0, headers: headersOf(response.headers), body };
};

const sendPost = (connection: Duplex, { path, headers, body }: Post): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request({
      method: 'POST',
      path,
      headers,
      setHost: false,
      createConnection: () => connection,
      maxHeaderSize: HEADER_BYTES,
      insecureHTTPParser: false,
    });
    let interim = 0;
    sent.on('information', () => {
      if (++interim <= MAX_INTERIM_RESPONSES) return;
      // The bytes already received may also contain the final response. Without this rejection, that response would resolve
      // the promise before `close` rejects it.
      reject(new EgressFailed('broken_answer', 'too many interim responses'));
      sent.destroy();
    });
    sent.once('response', resolve);
    sent.on('error', reject);
    // When the receiver switches to another protocol (status 101), the request closes without an error.
    sent.once('close', () => reject(new EgressFailed('broken_answer', 'the connection was closed without a response')));
    sent.end(body);
  });

const readExcerpt = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let read = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (read < EXCERPT_BYTES) chunks.push(chunk.subarray(0, EXCERPT_BYTES - read));
    read += chunk.length;
    if (read >= READ_BYTES) break;
  }
  // With `stream: true`, the decoder drops a character that the limit cuts in half.
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: read > EXCERPT_BYTES });
};

const headersOf = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]));
