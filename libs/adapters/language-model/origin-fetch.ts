import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { AdvisorFault } from '../../ports/chat/advisor.port.js';

/** Limits of one request (contract 41.10). */
const MAX_BYTES = 1024 * 1024;
const HEADER_BYTES = 16 * 1024;
const CONNECT_SECONDS = 3;
const FIRST_BYTE_SECONDS = 15;

type Init = { readonly method?: string; readonly headers?: unknown; readonly body?: unknown; readonly signal?: AbortSignal | null };

/**
 * Creates a function like `fetch`, which sends POST requests only to the addresses below `baseUrl`. The function follows no
 * redirect, keeps no connection and uses no proxy: its own agents ignore the proxy variables of the environment.
 */
export const createOriginFetch =
  (baseUrl: string, clock: Clock) =>
  async (input: unknown, { headers, body, signal }: Init = {}): Promise<Response> => {
    const url = new URL(String(input));
    if (!url.href.startsWith(`${baseUrl}/`)) throw new AdvisorFault('invalid', 'the request is not for ADVISOR_BASE_URL');
    const sent = send(
      url,
      { ...Object.fromEntries(new Headers(headers as ConstructorParameters<typeof Headers>[0])) },
      signal ?? undefined,
    );
    try {
      const response = await responseTo(sent, typeof body === 'string' ? body : '', clock);
      const status = response.statusCode ?? 0;
      if (status < 200 || status >= 300)
        throw new AdvisorFault('rejected', `status ${status}${status >= 300 && status < 400 ? ', a redirect, which is not followed' : ''}`);
      const text = await readBody(response);
      return new Response(text, { status, headers: { 'content-type': 'application/json' } });
    } catch (error) {
      if (error instanceof AdvisorFault || signal?.aborted) throw error;
      throw new AdvisorFault('unreachable', codeOf(error));
    } finally {
      // Closes the connection if the response was not read to its end.
      sent.destroy();
    }
  };

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'the request failed';

const send = (url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal | undefined): ClientRequest => {
  const options = { method: 'POST', headers, maxHeaderSize: HEADER_BYTES, insecureHTTPParser: false, ...(signal && { signal }) };
  if (url.protocol !== 'https:') return httpRequest(url, { ...options, agent: new HttpAgent() });
  // The certificate is verified even with NODE_TLS_REJECT_UNAUTHORIZED=0.
  return httpsRequest(url, { ...options, agent: new HttpsAgent(), rejectUnauthorized: true, minVersion: 'TLSv1.2' });
};

/** Sends the body. Resolves with the response when its headers have arrived in time. */
const responseTo = (sent: ClientRequest, body: string, clock: Clock): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const fail = (what: string, seconds: number) => () => reject(new AdvisorFault('timeout', `no ${what} within ${seconds} s`));
    let cancel = clock.after(CONNECT_SECONDS * 1_000, fail('connection', CONNECT_SECONDS));
    // The time limit for connecting includes the TLS handshake.
    sent.once('socket', (socket) =>
      socket.once(socket.connecting ? ('encrypted' in socket ? 'secureConnect' : 'connect') : 'ready', () => {
        cancel();
        cancel = clock.after(FIRST_BYTE_SECONDS * 1_000, fail('response', FIRST_BYTE_SECONDS));
      }),
    );
    sent.once('response', (response) => {
      cancel();
      resolve(response);
    });
    sent.on('error', (error) => {
      cancel();
      reject(error);
    });
    // When the server switches to another protocol (status 101), the request closes without an error.
    sent.once('close', () => {
      cancel();
      reject(new AdvisorFault('unreachable', 'the connection was closed without a response'));
    });
    sent.end(body);
  });

const readBody = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let read = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > MAX_BYTES) throw new AdvisorFault('invalid', `the response is longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};
