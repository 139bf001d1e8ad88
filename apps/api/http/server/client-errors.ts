import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEMS, type ProblemKind } from '../problems/problem-kinds.js';
import { Problem, PROBLEM_JSON, problemBody } from '../problems/problem.js';
import type { PublicAddress } from '../public-address.js';

/** The kind and detail of the problem for each error of Node's HTTP parser, by error code. */
const PARSER_FAILURES: Readonly<Record<string, readonly [ProblemKind, string]>> = {
  HPE_HEADER_OVERFLOW: ['header-fields-too-large', 'The address and headers together are larger than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['content-too-large', 'The chunk extensions together are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'request-timeout',
    'The request did not arrive in time: the headers within 10 s, the whole request within 30 s.',
  ],
};

/** Returns a listener for requests that Node cannot parse. The listener sends a problem and closes the connection. */
export const answerClientErrors =
  (address: PublicAddress) =>
  (error: { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    const [kind, detail] = PARSER_FAILURES[error.code ?? ''] ?? ['malformed-request', 'The request does not follow the rules of HTTP/1.1.'];
    sendAndClose(socket, new Problem(kind, detail), address);
  };

/** Responds to a CONNECT request with a problem, and closes the connection. Node provides no response object, only the socket. */
export const answerConnect = (address: PublicAddress, socket: Socket): void =>
  sendAndClose(socket, new Problem('not-implemented', 'The service does not support CONNECT: it is not a proxy.'), address);

const sendAndClose = (socket: Socket, problem: Problem, address: PublicAddress): void => {
  const currentResponse = currentResponseOf(socket);
  // While a response is being sent, the client would read a problem as part of that response. So the connection is closed
  // after that response, and no problem is sent.
  if (currentResponse) {
    socket.pause();
    currentResponse.once('close', () => socket.destroySoon());
    return;
  }
  const body = JSON.stringify(problemBody(problem, address.url, '/'));
  const { status, title } = PROBLEMS[problem.kind];
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM_JSON}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
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
