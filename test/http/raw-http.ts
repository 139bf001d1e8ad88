import { connect } from 'node:net';

/** A response that was read from a connection without an HTTP client. */
export type RawResponse = { readonly status: number; readonly headers: ReadonlyMap<string, string>; readonly body: string };

/** What the server sent on a connection: the complete responses, and the text after them (`rest`). */
export type RawExchange = { readonly responses: readonly RawResponse[]; readonly closed: boolean; readonly rest: string };

/** Whether responses with this status have no body, whatever their headers say. */
const isBodiless = (status: number): boolean => status < 200 || status === 204 || status === 304;

/** Splits the received text into complete responses. `rest` is the text after them, for example an incomplete response. */
const responsesIn = (text: string): Pick<RawExchange, 'responses' | 'rest'> => {
  const responses: RawResponse[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return { responses, rest };
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const headers = new Map(
      fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1] ?? NaN);
    const length = isBodiless(status) ? 0 : Number(headers.get('content-length') ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) return { responses, rest };
    responses.push({ status, headers, body });
    rest = rest.slice(end + 4 + length);
  }
};

/**
 * Writes bytes to a new connection, and reads until `wanted` responses other than 100 Continue have arrived,
 * or the server closes the connection.
 */
export const exchangeRaw = (url: string, bytes: string | Uint8Array, wanted = 1): Promise<RawExchange> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const chunks: Buffer[] = [];
    const received = () => responsesIn(Buffer.concat(chunks).toString('latin1'));
    const socket = connect(Number(port), hostname, () => socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const { responses, rest } = received();
      if (responses.filter(({ status }) => status !== 100).length < wanted) return;
      socket.destroy();
      resolve({ responses, rest, closed: false });
    });
    // If the server closes the connection before it has read all bytes, the connection is reset. The test treats that as closed.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? undefined : reject(error),
    );
    socket.on('close', () => resolve({ ...received(), closed: true }));
  });
