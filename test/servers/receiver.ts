import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request, byte for byte. */
export type ReceivedRequest = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** The response of a receiver. `hang up` closes the connection; null sends no response. */
export type Reply =
  { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string } | 'hang up' | null;

/** A receiver of webhooks on this machine. */
export type Receiver = {
  readonly url: string;
  /** All received requests, in order. */
  readonly received: ReceivedRequest[];
  /** Sets the function that chooses each reply from now on. Without it, every reply has the status 204. */
  respondWith(reply: (request: ReceivedRequest) => Reply | Promise<Reply>): void;
  close(): Promise<void>;
};

/** Opens a receiver on a free port. */
export const openReceiver = async (): Promise<Receiver> => {
  const received: ReceivedRequest[] = [];
  let reply: (request: ReceivedRequest) => Reply | Promise<Reply> = () => ({ status: 204 });
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = { path: incoming.url ?? '', headers: incoming.headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(request);
      void Promise.resolve(reply(request)).then((response) => {
        if (response === 'hang up') incoming.socket.destroy();
        else if (response) outgoing.writeHead(response.status, response.headers).end(response.body);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    respondWith: (next) => void (reply = next),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
