import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

/** The options of a request besides method and path. */
export type RequestOptions = {
  /** Override the headers of the other options. A header with a list is sent once for each value, with an empty list never. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The body, which is sent as JSON. */
  readonly body?: unknown;
  /** The body, which is sent byte for byte. By default its content type is that of JSON. */
  readonly raw?: string | Uint8Array;
  readonly token?: string | undefined;
  readonly tenant?: string | undefined;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
};

/** A response. If the body is not JSON, `json` is undefined. That `json` has the type T is not checked. */
export type HttpResponse<T = unknown> = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body byte for byte. */
  readonly bytes: Buffer;
  readonly json: T;
};

/** A client of one address, with keep-alive connections. */
export type Client = {
  send(method: string, path: string, options?: RequestOptions): Promise<HttpResponse>;
  close(): void;
};

/** Creates a client that uses HTTP over sockets, as real clients do. */
export const createClient = (url: string): Client => {
  const agent = new Agent({ keepAlive: true });
  return {
    send: (method, path, options = {}) => send(new URL(url), agent, method, path, options),
    close: () => agent.destroy(),
  };
};

const send = ({ hostname, port }: URL, agent: Agent, method: string, path: string, options: RequestOptions): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    const content = contentOf(options);
    const outgoing = request({ host: hostname, port, agent, method, path, headers: headersOf(options, content) }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString('utf8');
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          bytes,
          json: jsonOf(text, incoming.headers['content-type']),
        });
      });
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(content);
  });

const contentOf = ({ body, raw }: RequestOptions): Uint8Array | undefined => {
  if (raw !== undefined) return typeof raw === 'string' ? Buffer.from(raw) : raw;
  return body === undefined ? undefined : Buffer.from(JSON.stringify(body));
};

const headersOf = (options: RequestOptions, content: Uint8Array | undefined): OutgoingHttpHeaders => {
  const { token, tenant, idempotencyKey, ifMatch, ifNoneMatch, headers = {} } = options;
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
