import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a receiver was posted. */
export type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** A receiver of webhooks and callbacks on this machine. */
export type Receiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** What it answers from now on. */
  answers(status: number): void;
  stop(): Promise<void>;
};

/** Opens one that says 204 to everything. */
export const openReceiver = async (): Promise<Receiver> => {
  const received: Received[] = [];
  let status = 204;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers: (next) => void (status = next),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
