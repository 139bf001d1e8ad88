import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of one connection: whether one is being answered, and those behind it. */
type Line = { busy: boolean; readonly waiting: (readonly [IncomingMessage, ServerResponse])[] };

type WaitingLimits = {
  /** So many requests of one connection may wait. */
  readonly waitingRequests: number;
  /** So much memory may be taken by all that wait, of all connections. */
  readonly waitingBytes: number;
};

/** What a request takes besides its headers, and what a header takes besides its characters, as measured. */
const REQUEST_BYTES = 2_048;
const HEADER_BYTES = 64;

const bytesOf = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length, REQUEST_BYTES + (HEADER_BYTES * rawHeaders.length) / 2);

/**
 * Answers the requests of a connection one after another, each when the answer before it has gone out. A client that sends
 * many at once and reads nothing thus costs one answer, and unsafe methods keep their order (RFC 9112, 9.3.2). A connection whose
 * request would wait beyond a limit is closed; a client that sends one request at a time never waits.
 */
export const inTurn = (handle: RequestListener, { waitingRequests, waitingBytes }: WaitingLimits): RequestListener => {
  const lines = new WeakMap<Socket, Line>();
  let bytes = 0;
  const nextOf = ({ waiting }: Line, { writable }: Socket): Line['waiting'][number] | undefined => {
    const leaving = writable ? waiting.splice(0, 1) : waiting.splice(0);
    for (const [request] of leaving) bytes -= bytesOf(request);
    return writable ? leaving[0] : undefined;
  };
  const answer = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.busy = true;
    response.on('close', () => {
      line.busy = false;
      const next = nextOf(line, request.socket);
      if (next) answer(line, ...next);
    });
    handle(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    let line = lines.get(socket);
    if (!line) lines.set(socket, (line = { busy: false, waiting: [] }));
    if (!line.busy) return answer(line, request, response);
    const wanted = bytesOf(request);
    if (socket.destroyed || line.waiting.length >= waitingRequests || bytes + wanted > waitingBytes) return void socket.destroy();
    bytes += wanted;
    line.waiting.push([request, response]);
  };
};
