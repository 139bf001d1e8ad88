import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { failed } from '../failures.js';

/**
 * TLS to whom the address names, whatever it was connected to. "TLS verified": nothing switches that off, neither a
 * setting nor NODE_TLS_REJECT_UNAUTHORIZED. `ca` replaces the authorities that are believed.
 */
export const secured = (socket: Socket, host: string, ca?: readonly string[]): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    // An address is no server name; it must stand in the certificate all the same.
    const whom = isIP(host) ? { host } : { host, servername: host };
    const secure = connect({ ...whom, socket, rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca && { ca: [...ca] }) });
    secure.once('secureConnect', () => resolve(secure));
    secure.on('error', (error) => reject(failed('tls_failed', error)));
  });
