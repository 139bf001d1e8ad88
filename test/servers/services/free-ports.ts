import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * The range of ports for servers. It is below the ports that Linux gives to outgoing connections. Therefore no outgoing
 * connection can take the port of a server that is down and will restart.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;

const canListen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/**
 * Reserves a port for this process until it ends. Returns false if another process has reserved it. The reservation is an
 * abstract Unix socket, which has no file and ends with its process. Other systems than Linux have no such sockets, and there
 * every reservation succeeds.
 */
const reserve = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createServer().unref();
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'));
    socket.listen(`\0petstore-test-port-${port}`, () => resolve(true));
  });

/**
 * Returns the first of `count` consecutive free ports, for servers that stop and start again at the same address. Test
 * processes that run in parallel get different ports. A server that never restarts listens on port 0 instead.
 */
export const freePorts = async (count = 1): Promise<number> => {
  for (;;) {
    const first = randomInt(LOWEST, HIGHEST);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const reserved = await Promise.all(ports.map(reserve));
    if (!reserved.every(Boolean)) continue;
    const free = await Promise.all(ports.map(canListen));
    if (free.every(Boolean)) return first;
  }
};

/** Checks `count` consecutive ports, beginning with `first`. Returns the lowest port that is in use, or null if all are free. */
export const findTakenPort = async (first: number, count: number): Promise<number | null> => {
  for (let port = first; port < first + count; port++) if (!(await canListen(port))) return port;
  return null;
};
