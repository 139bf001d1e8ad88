import { connect } from 'node:net';

/** A response as it was received. */
export type RawAnswer = { readonly status: number; readonly headers: ReadonlyMap<string, string>; readonly body: string };

/** Everything that a connection received. */
export type RawExchange = { readonly answers: readonly RawAnswer[]; readonly closed: boolean; readonly rest: string };

/** Whether responses with this status have no body, whatever their headers say. */
const isBodiless = (status: number): boolean => status < 200 || status === 204 || status === 304;

/** Splits the received text into responses. `rest` is the incomplete last one. */
const answersIn = (text: string): Pick<RawExchange, 'answers' | 'rest'> => {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return { answers, rest };
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const headers = new Map(
      fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1] ?? NaN);
    const length = isBodiless(status) ? 0 : Number(headers.get('content-length') ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) return { answers, rest };
    answers.push({ status, headers, body });
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
    const received = () => answersIn(Buffer.concat(chunks).toString('latin1'));
    const socket = connect(Number(port), hostname, () => socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const { answers, rest } = received();
      if (answers.filter(({ status }) => status !== 100).length < wanted) return;
      socket.destroy();
      resolve({ answers, rest, closed: false });
    });
    // A server that closes a connection with unread bytes resets it. The test treats that as closed.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? undefined : reject(error),
    );
    socket.on('close', () => resolve({ ...received(), closed: true }));
  });
