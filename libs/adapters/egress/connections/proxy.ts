import { request } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { EgressFailed } from '../../../ports/egress.port.js';
import type { AllowedAddress } from '../destinations/addresses.js';

/** The proxy for outgoing requests. `authorization` is the value of the header Proxy-Authorization. */
export type Proxy = { readonly host: string; readonly port: number; readonly authorization?: string };

const HTTP_PORT = 80;

/** Parses the URL of a proxy, `http://user:password@host:port`. */
export const proxyFrom = (text: string): Proxy => {
  const { hostname, port, username, password } = new URL(text);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? HTTP_PORT : Number(port),
    ...(username !== '' && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
  };
};

/**
 * Opens a tunnel through the proxy with CONNECT. The CONNECT request names the checked address instead of the host. A proxy
 * would resolve a host name again, perhaps to an address that was not checked (contract 21.5).
 */
export const tunnelTo = (socket: Socket, { authorization }: Proxy, address: AllowedAddress, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const target = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
    const headers = { host: target, ...(authorization !== undefined && { 'proxy-authorization': authorization }) };
    const connecting = request({ method: 'CONNECT', path: target, headers, createConnection: () => socket, insecureHTTPParser: false });
    connecting.once('connect', ({ statusCode = 0 }, _socket, head: Buffer) => {
      // `head` has bytes of the tunnel that arrived together with the proxy's response.
      if (head.length > 0) socket.unshift(head);
      if (statusCode >= 200 && statusCode < 300) resolve();
      else reject(new EgressFailed('proxy_failed', `the proxy responded with ${statusCode} to CONNECT`));
    });
    connecting.once('error', reject);
    connecting.end();
  });
