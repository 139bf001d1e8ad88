import { createServer, type Server } from 'node:http';

export type HealthPorts = {
  readonly host: string;
  readonly port: number;
  /** Returns why the worker is blocked until an operator acts. Null if it is not blocked. */
  readonly blockedReason?: () => string | null;
  /**
   * Returns the roles and progress of the worker, or null before it has started. With a `reason` the worker is not ready. Without
   * a `status` its status is `ok`.
   */
  readonly state: () => Promise<Readonly<Record<string, unknown>> | null>;
};

export type Health = {
  readonly url: string;
  readonly server: Server;
  /** Stops listening, and waits for requests in progress. */
  stop(): Promise<void>;
};

/** Serves the health checks of a worker, /health/live and /health/ready. */
export const serveHealth = async ({ host, port, blockedReason = () => null, state }: HealthPorts): Promise<Health> => {
  const server = createServer((request, response) => {
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
      response.end(JSON.stringify(body));
    };
    if (request.url === '/health/live') send(200, { status: 'ok' });
    else if (request.url !== '/health/ready') send(404, { status: 'error', reason: 'not found: request /health/live or /health/ready' });
    else if (blockedReason() !== null) send(503, { status: 'error', reason: blockedReason() });
    else
      state().then(
        (progress) => {
          if (!progress) send(503, { status: 'error', reason: 'the worker has not started yet' });
          else if ('reason' in progress) send(503, { status: 'error', ...progress });
          else send(200, { status: 'ok', ...progress });
        },
        () => send(503, { status: 'error', reason: "the worker's servers cannot be reached" }),
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
