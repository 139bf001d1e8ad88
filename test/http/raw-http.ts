import { connect } from 'node:net';

/** One answer as it stood on the socket. */
export type RawAnswer = { readonly status: number; readonly headers: ReadonlyMap<string, string>; readonly body: string };

/** What came back on one connection. */
export type Spoken = { readonly answers: readonly RawAnswer[]; readonly closed: boolean; readonly rest: string };

/** Answers that have no body, whatever their headers say. */
const isBodiless = (status: number): boolean => status < 200 || status === 204 || status === 304;

/** Cuts what a server sent into answers; `rest` is what is not a whole one. */
const answersIn = (text: string): Pick<Spoken, 'answers' | 'rest'> => {
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

/** Writes bytes to a connection of its own, and reads until so many answers have come (100 Continue not counted) or the server hangs up. */
export const speak = (url: string, bytes: string | Uint8Array, wanted = 1): Promise<Spoken> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const chunks: Buffer[] = [];
    const said = () => answersIn(Buffer.concat(chunks).toString('latin1'));
    const socket = connect(Number(port), hostname, () => socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const { answers, rest } = said();
      if (answers.filter(({ status }) => status !== 100).length < wanted) return;
      socket.destroy();
      resolve({ answers, rest, closed: false });
    });
    // A server that hangs up on what still comes resets the connection: hung up all the same.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? undefined : reject(error),
    );
    socket.on('close', () => resolve({ ...said(), closed: true }));
  });
