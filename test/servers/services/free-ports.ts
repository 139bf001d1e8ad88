import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The ports are below those of outgoing connections: no connection may take the port of a server that is down. */
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

/** Returns the first of `count` consecutive ports that is in use, or null. */
export const findTakenPort = async (first: number, count: number): Promise<number | null> => {
  for (let port = first; port < first + count; port++) if (!(await canListen(port))) return port;
  return null;
};
