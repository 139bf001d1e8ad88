import { statfs } from 'node:fs/promises';
import { createServer, isIP } from 'node:net';
import { connect } from 'node:tls';

/** Milliseconds in which a server must present its certificate. */
const CONNECT_TIMEOUT = 5_000;

/** Returns how many bytes of a folder's disk are free for this user, and how large the disk is. */
export const diskOf = async (folder: string): Promise<{ readonly freeBytes: number; readonly bytes: number }> => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, bytes: blocks * bsize };
};

/** Tries to listen on a port. Returns the code of the error, such as EADDRINUSE, or null. */
export const whyNotListening = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });

/**
 * Returns when the certificate of a server ends, or null if the server presents none. The certificate is only read, so an invalid one
 * is accepted. Nothing is sent.
 */
export const certificateEnd = (host: string, port: number): Promise<Date | null> =>
  new Promise((resolve) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: CONNECT_TIMEOUT, ...name }, () => {
      const { valid_to: end } = socket.getPeerCertificate();
      socket.destroy();
      resolve(end ? new Date(end) : null);
    });
    const none = (): void => {
      socket.destroy();
      resolve(null);
    };
    socket.once('error', none);
    socket.once('timeout', none);
  });
