import { certificateEnd, diskOf, whyNotListening } from '../../../libs/adapters/system/index.js';
import type { Settings } from '../../../libs/settings/settings.js';

/** A port of the settings on which this process could not listen. `code`: such as EADDRINUSE. */
export type TakenPort = {
  readonly setting: 'PORT' | 'WORKER_PORT' | 'METRICS_PORT';
  readonly host: string;
  readonly port: number;
  readonly code: string;
};

/** Returns the ports of the settings on which a service could not listen. */
export const findTakenPorts = async ({ host, port, metricsHost, metricsPort }: Settings): Promise<readonly TakenPort[]> => {
  const wanted = [
    { setting: 'PORT', host, port },
    { setting: 'METRICS_PORT', host: metricsHost, port: metricsPort ?? 0 },
  ] as const;
  const taken: TakenPort[] = [];
  for (const one of wanted) {
    const code = one.port === 0 ? null : await whyNotListening(one.host, one.port);
    if (code !== null) taken.push({ ...one, code });
  }
  return taken;
};

/** A server that is reached by TLS. */
export type TlsServer = { readonly name: string; readonly host: string; readonly port: number };

/** Returns when the certificates of servers end. Servers that present none are left out. */
export const readCertificateEnds = async (servers: readonly TlsServer[]): Promise<readonly (TlsServer & { readonly end: Date })[]> => {
  const ends = await Promise.all(servers.map(({ host, port }) => certificateEnd(host, port)));
  return servers.flatMap((server, nth) => {
    const end = ends[nth];
    return end ? [{ ...server, end }] : [];
  });
};

/** Returns how many bytes of a folder's disk are free, and how large the disk is. */
export const readDisk = (folder: string) => diskOf(folder);
