import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { every, machineTime } from '../machine-time.js';

type UnreadLimits = {
  /** The maximum number of bytes of responses in this process that clients have not read. */
  readonly unreadBytes: number;
  readonly unreadCheckMilliseconds: number;
};

/** The minimum time between two log lines, in milliseconds. */
const LOG_INTERVAL = 10_000;
/** If a response leaves fewer unread bytes than this, the limiter counts them only at its next check, not at once. */
const LARGE_BYTES = 65_536;

/** Limits the bytes that clients leave unread, for HTTP servers that use the limiter's `ServerResponse`. */
export type UnreadLimiter = {
  readonly ServerResponse: typeof ServerResponse;
  /** Checks the connections of a server until it closes. */
  watch(server: Server): void;
  /**
   * Returns whether a handler must be deferred. A handler is deferred if responses have left many unread bytes in the
   * current turn of the event loop, or if other deferred handlers wait.
   */
  isUnderPressure(): boolean;
  /**
   * Runs a handler in a later turn of the event loop. Each turn runs one deferred handler, because the memory of a closed
   * connection is freed only at the end of a turn.
   */
  defer(handle: () => void): void;
};

/**
 * Limits the response bytes that clients leave unread (contract 26.2). Above the limit, first closes the connections with the
 * largest product of unread bytes and waiting time. Checks periodically, and also when responses since the last check have
 * left a quarter of the limit unread. A periodic check alone could be late: one turn of the event loop can send hundreds of
 * responses.
 */
export const limitUnread = ({ unreadBytes, unreadCheckMilliseconds }: UnreadLimits, logger: Logger): UnreadLimiter => {
  /** The open connections. The value is the time at which a check first found unread bytes, or null if there are none. */
  const connections = new Map<Socket, number | null>();
  const logClosed = createClosedLog(logger);
  const { isUnderPressure, add, defer } = createTurnScheduler(unreadBytes / 4);
  let bytesSinceCheck = 0;
  const check = (): void => {
    bytesSinceCheck = 0;
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
    bytesSinceCheck += bytes;
    if (bytesSinceCheck > unreadBytes / 4) check();
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
 * When a response ends, the class passes the number of unread bytes of the response's connection to `onEnd`.
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
 * Counts the unread bytes that responses leave in the current turn of the event loop.
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

/**
 * Closes connections until at least `bytes` unread bytes are discarded, in the order that `limitUnread` describes. Returns
 * the number of closed connections.
 */
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

/** Returns a function that counts closed connections, and logs their number at most once in `LOG_INTERVAL`. */
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
