import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEMS, type ProblemKind } from '../problems/problem-kinds.js';
import { Problem, PROBLEM_JSON, problemBody } from '../problems/problem.js';
import type { PublicAddress } from '../public-address.js';

/** What Node's HTTP parser refuses before there is a request, by its code. */
const KINDS: Readonly<Record<string, readonly [ProblemKind, string]>> = {
  HPE_HEADER_OVERFLOW: ['header-fields-too-large', 'The address and headers together are larger than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['content-too-large', 'The extensions of the chunks together are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request did not arrive in time.'],
};

/** Answers what is not HTTP, or too much of it, and hangs up. */
export const answerClientErrors =
  (address: PublicAddress) =>
  (error: { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    const [kind, detail] = KINDS[error.code ?? ''] ?? ['malformed-request', 'This is not a request by the rules of HTTP/1.1.'];
    hangUp(socket, new Problem(kind, detail), address);
  };

/** Answers CONNECT, which Node hands over with its socket, and hangs up: this service is no proxy. */
export const answerConnect = (address: PublicAddress, socket: Socket): void =>
  hangUp(socket, new Problem('not-implemented', 'This service is no proxy: it has no CONNECT.'), address);

const hangUp = (socket: Socket, problem: Problem, address: PublicAddress): void => {
  const answer = answerUnderWay(socket);
  // Behind a request that is still being answered there is nothing to say: it would be taken for that one's answer.
  if (answer) {
    socket.pause();
    answer.once('close', () => socket.destroySoon());
    return;
  }
  const body = JSON.stringify(problemBody(problem, address.url, '/'));
  const { status, title } = PROBLEMS[problem.kind];
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM_JSON}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
};

/** Node keeps the answer under way on its socket. One whose own request is what went wrong still has to be given, unless it was given already. */
const answerUnderWay = ({ _httpMessage: answer }: Socket & { readonly _httpMessage?: ServerResponse | null }): ServerResponse | null =>
  answer && (answer.req.complete || answer.headersSent) ? answer : null;
