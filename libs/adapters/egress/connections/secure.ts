import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { egressFailure } from '../failures.js';

/**
 * Starts TLS with the host of the URL as server name. The certificate is always verified (contract 21.5),
 * even with NODE_TLS_REJECT_UNAUTHORIZED=0. `ca` replaces the default certificate authorities.
 */
export const startTls = (socket: Socket, host: string, ca?: readonly string[]): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    // A server name must not be an IP address. Without `servername`, Node verifies the certificate against `host`.
    const server = isIP(host) ? { host } : { host, servername: host };
    const tlsSocket = connect({ ...server, socket, rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca && { ca: [...ca] }) });
    tlsSocket.once('secureConnect', () => resolve(tlsSocket));
    tlsSocket.on('error', (error) => reject(egressFailure('tls_failed', error)));
  });
