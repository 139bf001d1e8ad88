import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { egressFailure } from '../failures.js';

/**
 * Starts TLS with the host of the URL as server name. No setting disables verification (contract 21.5), and
 * neither does NODE_TLS_REJECT_UNAUTHORIZED. `ca` replaces the trusted authorities.
 */
export const startTls = (socket: Socket, host: string, ca?: readonly string[]): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    // SNI allows no address. The certificate must contain the address all the same.
    const server = isIP(host) ? { host } : { host, servername: host };
    const tlsSocket = connect({ ...server, socket, rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca && { ca: [...ca] }) });
    tlsSocket.once('secureConnect', () => resolve(tlsSocket));
    tlsSocket.on('error', (error) => reject(egressFailure('tls_failed', error)));
  });
