import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEMS, type ProblemKind } from '../problems/problem-kinds.js';
import { DEPRECATION_HEADERS, isClassicPath } from '../problems/classic-error.js';
import { errorFormOf } from '../problems/error-form.js';
import { Problem } from '../problems/problem.js';
import type { PublicAddress } from '../public-address.js';
import { TOO_SLOW } from '../bodies/bodies.js';
import type { RefusedBodies } from './refused-bodies.js';

/** The kind and detail of the problem for each error of Node's HTTP parser, by error code. */
const PARSER_FAILURES: Readonly<Record<string, readonly [ProblemKind, string]>> = {
  HPE_HEADER_OVERFLOW: ['header-fields-too-large', 'The address and headers together are larger than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['content-too-large', 'The chunk extensions together are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', TOO_SLOW],
};

/** What a response needs that Fastify does not send: the public address, and the general headers of the response. */
type RawResponse = { readonly address: PublicAddress; readonly headersOf: (request: IncomingMessage | null) => Headers };
type Headers = Readonly<Record<string, string>>;

/** Returns a listener for requests that Node cannot parse. The listener sends a problem and closes the connection. */
export const answerClientErrors =
  ({ address, headersOf }: RawResponse, refused: RefusedBodies) =>
  (error: { readonly code?: string; readonly rawPacket?: Buffer }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (!socket.writable || (refused.isAnswered(socket) && !currentResponseOf(socket))) return socket.destroySoon();
    const [kind, detail] = PARSER_FAILURES[error.code ?? ''] ?? ['malformed-request', 'The request does not follow the rules of HTTP/1.1.'];
    sendAndClose(socket, new Problem(kind, detail), { address, path: pathIn(error.rawPacket) }, headersOf(null));
  };

/** Returns the path in the first line of a request that Node could not parse, or `/` if the packet does not begin with that line. */
const pathIn = (packet: Buffer | undefined): string =>
  /^[A-Z]{1,20} (\/[^ ?#\r\n]{0,500})/.exec(packet?.subarray(0, 600).toString('latin1') ?? '')?.[1] ?? '/';

/** Responds to a CONNECT request with a problem, and closes the connection. Node provides no response object, only the socket. */
export const answerConnect = ({ address, headersOf }: RawResponse, request: IncomingMessage, socket: Socket): void => {
  // Node has removed its own listener from this socket.
  socket.on('error', () => undefined);
  if (!socket.writable) return socket.destroySoon();
  const problem = new Problem('not-implemented', 'The service does not support CONNECT: it is not a proxy.');
  sendAndClose(socket, problem, { address, path: '/' }, headersOf(request));
};

type Target = { readonly address: PublicAddress; readonly path: string };

const sendAndClose = (socket: Socket, problem: Problem, { address, path }: Target, general: Headers): void => {
  const currentResponse = currentResponseOf(socket);
  // While a response is being sent, the client would read a problem as part of that response. So the connection is closed
  // after that response, and no problem is sent.
  if (currentResponse) {
    socket.pause();
    currentResponse.once('close', () => socket.destroySoon());
    return;
  }
  const { mediaType, bodyOf } = errorFormOf(path);
  const body = JSON.stringify(bodyOf(problem, address.url, '/'));
  const { status, title } = PROBLEMS[problem.kind];
  const headers = {
    'content-type': mediaType,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
    ...general,
    ...(isClassicPath(path) && DEPRECATION_HEADERS),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`);
};

/**
 * Returns the response that is being sent on a connection. Node keeps it in the private field `_httpMessage` of the socket.
 * Returns null if there is none. Also returns null if the response belongs to the invalid request itself and its headers have
 * not been sent: a problem can still replace it.
 */
const currentResponseOf = ({
  _httpMessage: response,
}: Socket & { readonly _httpMessage?: ServerResponse | null }): ServerResponse | null =>
  response && (response.req.complete || response.headersSent) ? response : null;
