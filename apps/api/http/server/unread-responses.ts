import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { every, machineTime } from './machine-time.js';

type UnreadLimits = {
  /** The maximum number of bytes of responses in this process that clients have not read. */
  readonly unreadBytes: number;
  readonly unreadCheckMilliseconds: number;
};

/** The minimum time between two log lines, in milliseconds. */
const LOG_INTERVAL = 10_000;
/** Connections with fewer unread bytes are found only by the periodic check. */
const LARGE_BYTES = 65_536;

/** Limits the unread bytes of HTTP servers that use its `ServerResponse`. */
export type UnreadLimiter = {
  readonly ServerResponse: typeof ServerResponse;
  /** Checks the connections of a server until it closes. */
  watch(server: Server): void;
  /** Returns whether responses in this turn of the event loop have left many bytes unread. */
  isUnderPressure(): boolean;
  /**
   * Runs a handler in a later turn of the event loop, one per turn: the memory of a closed connection is
   * freed only at the end of a turn.
   */
  defer(handle: () => void): void;
};

/**
 * Limits the response bytes that clients leave unread (contract 26.2). If they exceed the limit, it closes
 * the connections with the most unread bytes for the longest time. It checks periodically, and also
 * immediately when many bytes are unread, because one turn of the event loop can send hundreds of responses.
 */
export const limitUnread = ({ unreadBytes, unreadCheckMilliseconds }: UnreadLimits, logger: Logger): UnreadLimiter => {
  /** Open connections, each with the time since when it has unread bytes, or null if it has none. */
  const connections = new Map<Socket, number | null>();
  const logClosed = createClosedLog(logger);
  const { isUnderPressure, add, defer } = createTurnScheduler(unreadBytes / 4);
  let sinceCheck = 0;
  const check = (): void => {
    sinceCheck = 0;
    const now = machineTime();
    let total = 0;
    for (const [socket, since] of connections) {
      if (socket.destroyed) continue;
      total += socket.writableLength;
      connections.set(socket, socket.writableLength > 0 ? (since ?? now) : null);
    }
    if (total > unreadBytes) logClosed(closeWorst([...connections], total - unreadBytes, now));
  };
  const onUnreadBytes = (bytes: number): void => {
    if (bytes < LARGE_BYTES) return;
    add(bytes);
    sinceCheck += bytes;
    if (sinceCheck > unreadBytes / 4) check();
  };
  return {
    isUnderPressure,
    defer,
    ServerResponse: reportingResponses(onUnreadBytes),
    watch(server) {
      server.on('close', every(unreadCheckMilliseconds, check));
      server.on('connection', (socket: Socket) => {
        connections.set(socket, null);
        socket.once('close', () => connections.delete(socket));
      });
    },
  };
};

/**
 * Creates a ServerResponse class.
 * When a response ends, it passes the unread bytes of its connection to `onEnd`.
 */
const reportingResponses = (onEnd: (bytes: number) => void): typeof ServerResponse =>
  class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override end(content?: unknown, encoding?: unknown, done?: unknown): this {
      super.end(content, encoding as BufferEncoding, done as () => void);
      if (this.socket) onEnd(this.socket.writableLength);
      return this;
    }
  };

/**
 * Counts the bytes that the current turn of the event loop leaves unread.
 * Runs deferred handlers, one per turn.
 */
const createTurnScheduler = (limit: number) => {
  const deferred: (() => void)[] = [];
  let bytes = 0;
  const runNext = (): void => {
    deferred.shift()?.();
    if (deferred.length > 0) setImmediate(runNext);
  };
  return {
    isUnderPressure: (): boolean => bytes > limit || deferred.length > 0,
    add: (more: number): void => {
      if (bytes === 0) setImmediate(() => (bytes = 0));
      bytes += more;
    },
    defer: (handle: () => void): void => {
      if (deferred.push(handle) === 1) setImmediate(runNext);
    },
  };
};

/** Closes connections until `bytes` fewer bytes are unread. Returns how many it closed. */
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

const createClosedLog = (logger: Logger): ((count: number) => void) => {
  let connections = 0;
  let last = -Infinity;
  return (count) => {
    connections += count;
    if (machineTime() - last < LOG_INTERVAL) return;
    last = machineTime();
    logger.warn({ connections }, 'closed connections of clients that did not read their responses');
    connections = 0;
  };
};
