import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

/** What is asked, beyond method and path. */
export type Asked = {
  /** Sent as they are, over all that follows from the other members; a list sends a header more than once, an empty one not at all. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent byte for byte, as JSON unless `headers` say otherwise. */
  readonly raw?: string | Uint8Array;
  readonly token?: string | undefined;
  readonly tenant?: string | undefined;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
};

/** What came back. `json` is undefined where the body is none; its type is the caller's expectation, which no compiler checks. */
export type Answer<T = unknown> = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: T;
};

/** Sends requests to one address over kept connections. */
export type Client = {
  send(method: string, path: string, asked?: Asked): Promise<Answer>;
  close(): void;
};

/** Real HTTP over real sockets, so that what is tested is what a client meets. */
export const createClient = (url: string): Client => {
  const agent = new Agent({ keepAlive: true });
  return {
    send: (method, path, asked = {}) => send(new URL(url), agent, method, path, asked),
    close: () => agent.destroy(),
  };
};

const send = ({ hostname, port }: URL, agent: Agent, method: string, path: string, asked: Asked): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const content = contentOf(asked);
    const outgoing = request({ host: hostname, port, agent, method, path, headers: headersOf(asked, content) }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          json: jsonOf(text, incoming.headers['content-type']),
        });
      });
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(content);
  });

const contentOf = ({ body, raw }: Asked): Uint8Array | undefined => {
  if (raw !== undefined) return typeof raw === 'string' ? Buffer.from(raw) : raw;
  return body === undefined ? undefined : Buffer.from(JSON.stringify(body));
};

const headersOf = (asked: Asked, content: Uint8Array | undefined): OutgoingHttpHeaders => {
  const { token, tenant, idempotencyKey, ifMatch, ifNoneMatch, headers = {} } = asked;
  const all: Readonly<Record<string, string | readonly string[]>> = {
    ...(content && { 'content-type': 'application/json', 'content-length': String(content.byteLength) }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(tenant !== undefined && { 'x-tenant-id': tenant }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    ...headers,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value.length === 0 && typeof value !== 'string' ? [] : [[name, typeof value === 'string' ? value : [...value]]],
    ),
  );
};

const jsonOf = (text: string, type = ''): unknown =>
  /^application\/([\w.-]+\+)?json\b/.test(type) && text !== '' ? JSON.parse(text) : undefined;
