import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEMS, type ProblemKind } from './problem-kinds.js';
import { Problem, PROBLEM_JSON, problemBody } from './problem.js';
import type { PublicAddress } from './public-address.js';

/** What Node's HTTP parser refuses before there is a request, by its code. */
const KINDS: Readonly<Record<string, readonly [ProblemKind, string]>> = {
  HPE_HEADER_OVERFLOW: ['header-fields-too-large', 'The address and headers together are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request did not arrive in time.'],
};

/** Answers what is not HTTP, or too much of it, and hangs up. */
export const answerClientErrors =
  (address: PublicAddress) =>
  (error: { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    // Behind a request that is still being answered there is nothing to say: it would be taken for that one's answer.
    if (isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const [kind, detail] = KINDS[error.code ?? ''] ?? ['malformed-request', 'This is not a request by the rules of HTTP/1.1.'];
    const body = JSON.stringify(problemBody(new Problem(kind, detail), address.url, '/'));
    const { status, title } = PROBLEMS[kind];
    socket.end(
      `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM_JSON}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  };

/** Node keeps the answer under way on its socket. One whose own request is what went wrong still has to be given. */
const isAnswering = (socket: Socket & { readonly _httpMessage?: { readonly req: IncomingMessage } | null }): boolean =>
  socket._httpMessage?.req.complete ?? false;
