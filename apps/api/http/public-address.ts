import type { Settings } from '../../../libs/settings/settings.js';

/**
 * The start of every absolute URL in responses (contract 1.5).
 * `url` has no slash at the end. Its port may change until the server listens.
 */
export type PublicAddress = {
  readonly url: string;
  /** The path of `url` without a slash at the end, or '' if it has none. A proxy adds it: the router never sees it. */
  readonly prefix: string;
  /**
   * Sets the port on which the server listens. With the setting PORT=0, the operating system chooses this port. Has no
   * effect if the setting PUBLIC_URL has a value.
   */
  setPort(port: number): void;
};

/** Creates the public address: PUBLIC_URL, or the listening address (contract 1.5). */
export const createPublicAddress = ({ publicUrl, host, port }: Settings): PublicAddress => {
  let url = publicUrl ?? addressOf(host, port);
  return {
    get url() {
      return url;
    },
    prefix: prefixOf(url),
    setPort: (listeningPort) => void (url = publicUrl ?? addressOf(host, listeningPort)),
  };
};

/** Returns the path of a public URL without a slash at the end, or '' if it has none. */
export const prefixOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

/**
 * Builds a URL from a host and a port.
 * Replaces a wildcard address, which clients cannot call, with localhost.
 */
const addressOf = (host: string, port: number): string => {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};
