import { createServer, type Server } from 'node:http';

export type HealthPorts = {
  readonly host: string;
  readonly port: number;
  /** Why the worker does nothing until an operator acts; null while nothing is wrong. */
  readonly refusal?: () => string | null;
  /** What the worker does and how far it is, null before it has begun; rejects when it cannot do its work. */
  readonly state: () => Promise<Readonly<Record<string, unknown>> | null>;
};

export type Health = {
  readonly url: string;
  readonly server: Server;
  /** Accepts no more connections and waits until those that are busy have ended. */
  stop(): Promise<void>;
};

/** Answers /health/live and /health/ready for the orchestrator of a worker. */
export const serveHealth = async ({ host, port, refusal = () => null, state }: HealthPorts): Promise<Health> => {
  const server = createServer((request, response) => {
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
      response.end(JSON.stringify(body));
    };
    if (request.url === '/health/live') send(200, { status: 'ok' });
    else if (request.url !== '/health/ready') send(404, { status: 'error', reason: 'there is /health/live and /health/ready' });
    else if (refusal() !== null) send(503, { status: 'error', reason: refusal() });
    else
      state().then(
        (shown) => (shown ? send(200, { status: 'ok', ...shown }) : send(503, { status: 'error', reason: 'it has not begun yet' })),
        () => send(503, { status: 'error', reason: 'the servers it works on cannot be reached' }),
      );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { url: `http://${host}:${readPort(server)}`, server, stop: () => closeServer(server) };
};

const readPort = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
