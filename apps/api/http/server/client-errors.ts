import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEMS, type ProblemKind } from '../problems/problem-kinds.js';
import { Problem, PROBLEM_JSON, problemBody } from '../problems/problem.js';
import type { PublicAddress } from '../public-address.js';

/** The problem of each error that Node's HTTP parser raises before a request exists, by its code. */
const KINDS: Readonly<Record<string, readonly [ProblemKind, string]>> = {
  HPE_HEADER_OVERFLOW: ['header-fields-too-large', 'The address and headers together are larger than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['content-too-large', 'The chunk extensions together are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'request-timeout',
    'The request did not arrive in time: the headers within 10 s, the whole request within 30 s.',
  ],
};

/** Answers requests that Node cannot parse, and closes their connections. */
export const answerClientErrors =
  (address: PublicAddress) =>
  (error: { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    const [kind, detail] = KINDS[error.code ?? ''] ?? ['malformed-request', 'The request does not follow the rules of HTTP/1.1.'];
    sendAndClose(socket, new Problem(kind, detail), address);
  };

/** Answers CONNECT, which Node passes on as a socket, and closes the connection. */
export const answerConnect = (address: PublicAddress, socket: Socket): void =>
  sendAndClose(socket, new Problem('not-implemented', 'The service does not support CONNECT: it is not a proxy.'), address);

const sendAndClose = (socket: Socket, problem: Problem, address: PublicAddress): void => {
  const underWay = responseUnderWay(socket);
  // While another response is under way, the client would take this one for it.
  if (underWay) {
    socket.pause();
    underWay.once('close', () => socket.destroySoon());
    return;
  }
  const body = JSON.stringify(problemBody(problem, address.url, '/'));
  const { status, title } = PROBLEMS[problem.kind];
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM_JSON}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
};

/**
 * Returns the response under way, which Node keeps on the socket. It is null if its own request is the
 * faulty one.
 */
const responseUnderWay = ({ _httpMessage: answer }: Socket & { readonly _httpMessage?: ServerResponse | null }): ServerResponse | null =>
  answer && (answer.req.complete || answer.headersSent) ? answer : null;
