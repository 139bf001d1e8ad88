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

/** Returns the first of `count` consecutive free ports. */
export const freePorts = async (count = 1): Promise<number> => {
  for (;;) {
    const first = randomInt(LOWEST, HIGHEST);
    const free = await Promise.all(Array.from({ length: count }, (_, index) => canListen(first + index)));
    if (free.every(Boolean)) return first;
  }
};

/** Checks `count` consecutive ports, beginning with `first`. Returns the lowest port that is in use, or null if all are free. */
export const findTakenPort = async (first: number, count: number): Promise<number | null> => {
  for (let port = first; port < first + count; port++) if (!(await canListen(port))) return port;
  return null;
};
