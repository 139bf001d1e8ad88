import { createServer, type Server, type ServerResponse } from 'node:http';
import type { PrometheusMetrics } from './prometheus-metrics.js';

/** A running server of the metrics. */
export type MetricsServer = {
  readonly url: string;
  /** Stops listening and closes all connections, even if a response is not sent yet. */
  close(): Promise<void>;
};

/**
 * Serves GET and HEAD /metrics, and returns 404 for other requests (contract 25.6). Rejects if it cannot listen on the address.
 */
export const serveMetrics = async (
  metrics: Pick<PrometheusMetrics, 'text' | 'contentType'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsServer> => {
  const server = createServer(({ method, url = '' }, response) => {
    const [path] = url.split('?');
    if ((method !== 'GET' && method !== 'HEAD') || path !== '/metrics')
      return send(response, 404, 'text/plain; charset=utf-8', 'not found: request GET /metrics\n');
    metrics.text().then(
      (text) => send(response, 200, metrics.contentType, text),
      () => send(response, 500, 'text/plain; charset=utf-8', 'the metrics could not be read\n'),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}/metrics`, close: () => closeServer(server) };
};

const send = (response: ServerResponse, status: number, contentType: string, body: string): void => {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(body);
};

/** Returns the actual port. If the requested port is 0, the operating system chooses the port. */
const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
