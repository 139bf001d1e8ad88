import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The waiting requests of one connection.
 * `busy` is true until the response to the current request has been sent.
 */
type Queue = { busy: boolean; readonly waiting: (readonly [IncomingMessage, ServerResponse])[] };

type RequestsInOrder = {
  readonly handle: RequestListener;
  /** Returns whether a request waits for the current response of its connection. */
  readonly hasWaiting: (socket: Socket) => boolean;
};

type WaitingLimits = {
  /** The maximum number of waiting requests of a connection. */
  readonly waitingRequests: number;
  /** The maximum memory in bytes of the waiting requests of all connections. */
  readonly waitingBytes: number;
};

/** The measured memory of a request without its headers, in bytes. */
const REQUEST_BYTES = 2_048;
/** The measured memory of a header in bytes, in addition to its characters. */
const HEADER_BYTES = 64;

/** Estimates the memory of a request. A header has two elements in `rawHeaders`, its name and its value. */
const bytesOf = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length, REQUEST_BYTES + (HEADER_BYTES * rawHeaders.length) / 2);

/**
 * Handles the requests of a connection one after another. Each request waits until the response to the previous request
 * has been sent (contract 2.11). So unsafe methods keep their order (RFC 9112, 9.3.2), and at most one response of the
 * connection is in memory. Closes the connection if the waiting requests exceed a limit.
 */
export const handleInOrder = (handle: RequestListener, { waitingRequests, waitingBytes }: WaitingLimits): RequestsInOrder => {
  const queues = new WeakMap<Socket, Queue>();
  let bytes = 0;
  /**
   * Removes the next waiting request and returns it.
   * If the connection is closed, removes all waiting requests and returns undefined.
   */
  const takeNext = ({ waiting }: Queue, { writable }: Socket): Queue['waiting'][number] | undefined => {
    const removed = writable ? waiting.splice(0, 1) : waiting.splice(0);
    for (const [request] of removed) bytes -= bytesOf(request);
    return writable ? removed[0] : undefined;
  };
  const start = (queue: Queue, request: IncomingMessage, response: ServerResponse): void => {
    queue.busy = true;
    response.on('close', () => {
      queue.busy = false;
      const next = takeNext(queue, request.socket);
      if (next) start(queue, ...next);
    });
    handle(request, response);
  };
  const add: RequestListener = (request, response) => {
    const { socket } = request;
    // The last response of the connection was sent: no response to this request could be.
    if (!socket.writable) return;
    let queue = queues.get(socket);
    if (!queue) queues.set(socket, (queue = { busy: false, waiting: [] }));
    if (!queue.busy) return start(queue, request, response);
    const needed = bytesOf(request);
    if (socket.destroyed || queue.waiting.length >= waitingRequests || bytes + needed > waitingBytes) return void socket.destroy();
    bytes += needed;
    queue.waiting.push([request, response]);
  };
  return { handle: add, hasWaiting: (socket) => (queues.get(socket)?.waiting.length ?? 0) > 0 };
};
