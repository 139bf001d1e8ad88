import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of one connection: whether one is being answered, and those behind it. */
type Line = { busy: boolean; readonly waiting: (readonly [IncomingMessage, ServerResponse])[] };

/**
 * Answers the requests of a connection one after another, each when the answer before it has gone out. A client that sends
 * many at once and reads nothing thus costs one answer, and unsafe methods keep their order (RFC 9112, 9.3.2). A connection with
 * more than `most` requests waiting is closed.
 */
export const inTurn = (handle: RequestListener, most: number): RequestListener => {
  const lines = new WeakMap<Socket, Line>();
  const answer = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.busy = true;
    response.once('close', () => {
      line.busy = false;
      const next = request.socket.writable ? line.waiting.shift() : undefined;
      if (next) answer(line, ...next);
    });
    handle(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    let line = lines.get(socket);
    if (!line) lines.set(socket, (line = { busy: false, waiting: [] }));
    if (!line.busy) return answer(line, request, response);
    if (line.waiting.length < most) line.waiting.push([request, response]);
    else socket.destroy();
  };
};
