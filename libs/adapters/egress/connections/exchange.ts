import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { EgressFailed, type OutgoingAnswer } from '../../../ports/egress.port.js';
import { exchangeFailed } from '../failures.js';

/** A request to be written to a connection that is there. */
export type Post = { readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Of the body so much is told. */
const EXCERPT_BYTES = 2 * 1024;
/** So much is read of a body, so that a receiver who says a little more than is told can say it; then the connection ends. */
const READ_BYTES = 64 * 1024;
const HEADER_BYTES = 16 * 1024;
/** So many answers may say that the answer is still to come (1xx): without an end to them a receiver could keep this process busy. */
const MOST_INTERIM = 10;

/** POSTs over this one connection, which serves nothing else before or after: so none is used that was not checked for this post. */
export const exchange = async (connection: Duplex, post: Post): Promise<OutgoingAnswer> => {
  const answer = await answerTo(connection, post).catch((error: unknown) => Promise.reject(exchangeFailed(error, false)));
  const body = await excerptOf(answer).catch((error: unknown) => Promise.reject(exchangeFailed(error, true)));
  return { status: answer.statusCode ?? 0, headers: headersOf(answer.headers), body };
};

const answerTo = (connection: Duplex, { path, headers, body }: Post): Promise<IncomingMessage> =>
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
      if (++interim <= MOST_INTERIM) return;
      // Before what may follow in the same bytes.
      reject(new EgressFailed('broken_answer', 'too many answers said that the answer is still to come'));
      sent.destroy();
    });
    sent.once('response', resolve);
    sent.on('error', reject);
    // One that turns to another protocol is left without an error.
    sent.once('close', () => reject(new EgressFailed('broken_answer', 'the connection was closed without an answer')));
    sent.end(body);
  });

const excerptOf = async (answer: IncomingMessage): Promise<string> => {
  const kept: Buffer[] = [];
  let read = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (read < EXCERPT_BYTES) kept.push(chunk.subarray(0, EXCERPT_BYTES - read));
    read += chunk.length;
    if (read >= READ_BYTES) break;
  }
  // A character that the cut went through is left out.
  return new TextDecoder().decode(Buffer.concat(kept), { stream: read > EXCERPT_BYTES });
};

const headersOf = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]));
