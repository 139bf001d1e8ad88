import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';

type UnreadLimits = {
  /** So many bytes of answers may wait in this process for clients to read them. */
  readonly unreadBytes: number;
  readonly unreadLookMilliseconds: number;
};

/** At most one line of the log in so many milliseconds. */
const LOG_EVERY = 10_000;

/**
 * Watches servers: while more bytes of answers wait than the limit, the connections that have kept the most waiting for the
 * longest are closed.
 */
export const boundUnread = ({ unreadBytes, unreadLookMilliseconds }: UnreadLimits, logger: Logger): ((server: Server) => void) => {
  /** Each open connection with how many looks in a row found something unread on it. */
  const connections = new Map<Socket, number>();
  const closed = countedLog(logger);
  const look = (): void => {
    let total = 0;
    for (const [socket, looks] of connections) {
      total += socket.writableLength;
      connections.set(socket, socket.writableLength > 0 ? looks + 1 : 0);
    }
    if (total > unreadBytes) closed(closeWorst([...connections], total - unreadBytes));
  };
  return (server) => {
    const looking = setInterval(look, unreadLookMilliseconds).unref();
    server.on('close', () => clearInterval(looking));
    server.on('connection', (socket: Socket) => {
      connections.set(socket, 0);
      socket.once('close', () => connections.delete(socket));
    });
  };
};

/** Closes connections until so many bytes less are unread; answers how many. */
const closeWorst = (connections: readonly (readonly [Socket, number])[], bytes: number): number => {
  const worst = connections.map(([socket, looks]) => ({ socket, harm: socket.writableLength * looks })).sort((a, b) => b.harm - a.harm);
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
    if (performance.now() - last < LOG_EVERY) return;
    last = performance.now();
    logger.warn({ connections }, 'closed connections that did not read their answers');
    connections = 0;
  };
};
