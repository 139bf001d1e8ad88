import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { every, machineTime } from './machine-time.js';

type UnreadLimits = {
  /** So many bytes of answers may wait in this process for clients to read them. */
  readonly unreadBytes: number;
  readonly unreadLookMilliseconds: number;
};

/** At most one line of the log in so many milliseconds. */
const LOG_EVERY = 10_000;
/** Answers that leave less unread are found by the clock alone. */
const SMALL = 65_536;

/** What a server needs to be watched. */
export type UnreadBound = {
  readonly ServerResponse: typeof ServerResponse;
  watch(server: Server): void;
  /** Whether this turn of the event loop has left much unread. */
  isPressed(): boolean;
  /** Runs one waiting handler a turn: what a closed connection kept is freed at the end of each. */
  defer(handle: () => void): void;
};

/**
 * Bounds what clients leave unread: while more bytes of answers wait than the limit, the connections that keep the most
 * waiting for the longest are closed. Looks every so often, and at once where answers have left much unread since: one turn
 * of the event loop can answer hundreds of requests.
 */
export const boundUnread = ({ unreadBytes, unreadLookMilliseconds }: UnreadLimits, logger: Logger): UnreadBound => {
  /** Each open connection with since when it has had something unread; null while it has not. */
  const connections = new Map<Socket, number | null>();
  const closed = countedLog(logger);
  const { isPressed, add, defer } = turns(unreadBytes / 4);
  let sinceLook = 0;
  const look = (): void => {
    sinceLook = 0;
    const now = machineTime();
    let total = 0;
    for (const [socket, since] of connections) {
      if (socket.destroyed) continue;
      total += socket.writableLength;
      connections.set(socket, socket.writableLength > 0 ? (since ?? now) : null);
    }
    if (total > unreadBytes) closed(closeWorst([...connections], total - unreadBytes, now));
  };
  const written = (bytes: number): void => {
    if (bytes < SMALL) return;
    add(bytes);
    sinceLook += bytes;
    if (sinceLook > unreadBytes / 4) look();
  };
  return {
    isPressed,
    defer,
    ServerResponse: reportingResponses(written),
    watch(server) {
      server.on('close', every(unreadLookMilliseconds, look));
      server.on('connection', (socket: Socket) => {
        connections.set(socket, null);
        socket.once('close', () => connections.delete(socket));
      });
    },
  };
};

/** Responses that report, each time one ends, how many bytes its connection has not taken. */
const reportingResponses = (written: (bytes: number) => void): typeof ServerResponse =>
  class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override end(content?: unknown, encoding?: unknown, done?: unknown): this {
      super.end(content, encoding as BufferEncoding, done as () => void);
      if (this.socket) written(this.socket.writableLength);
      return this;
    }
  };

/** Counts bytes by turns of the event loop, and spreads handlers over turns. */
const turns = (most: number) => {
  const deferred: (() => void)[] = [];
  let bytes = 0;
  const runNext = (): void => {
    deferred.shift()?.();
    if (deferred.length > 0) setImmediate(runNext);
  };
  return {
    isPressed: (): boolean => bytes > most || deferred.length > 0,
    add: (more: number): void => {
      if (bytes === 0) setImmediate(() => (bytes = 0));
      bytes += more;
    },
    defer: (handle: () => void): void => {
      if (deferred.push(handle) === 1) setImmediate(runNext);
    },
  };
};

/** Closes connections until so many bytes less are unread; answers how many. */
const closeWorst = (connections: readonly (readonly [Socket, number | null])[], bytes: number, now: number): number => {
  const worst = connections
    .filter(([socket]) => !socket.destroyed)
    .map(([socket, since]) => ({ socket, harm: socket.writableLength * (now - (since ?? now) + 1) }))
    .sort((a, b) => b.harm - a.harm);
  let left = bytes;
  let count = 0;
  for (const { socket } of worst) {
    if (left <= 0) break;
    left -= socket.writableLength;
    socket.destroy();
    count++;
  }
  return count;
};

const countedLog = (logger: Logger): ((count: number) => void) => {
  let connections = 0;
  let last = -Infinity;
  return (count) => {
    connections += count;
    if (machineTime() - last < LOG_EVERY) return;
    last = machineTime();
    logger.warn({ connections }, 'closed connections that did not read their answers');
    connections = 0;
  };
};
