import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A proxy in front of a service. It removes a path from each request. It passes on the address of RFC 8414 as it is, and answers 404 at any
 * other address.
 */
export type PrefixProxy = {
  readonly origin: string;
  /** The address of the service behind the proxy, which is its PUBLIC_URL. */
  readonly publicUrl: string;
  /** Sets the service to which requests are passed on. */
  passTo(url: string): void;
  close(): void;
};

/** Starts a proxy that removes `prefix`, such as `/shop`. */
export const startPrefixProxy = async (prefix: string): Promise<PrefixProxy> => {
  let target = '';
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    const isMetadata = url === `/.well-known/oauth-authorization-server${prefix}`;
    if (!isMetadata && !url.startsWith(`${prefix}/`) && url !== prefix)
      return void outgoing.writeHead(404).end('no service is at this address');
    const passed = send(target + (isMetadata ? url : url.slice(prefix.length) || '/'), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    publicUrl: origin + prefix,
    passTo: (url) => void (target = url),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
