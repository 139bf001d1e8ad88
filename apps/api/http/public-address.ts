import type { Settings } from '../../../libs/settings/settings.js';

/** The prefix of every absolute URL, without a slash at the end. It may change until the server listens. */
export type PublicAddress = {
  readonly url: string;
  /** Sets the port when the server listens. If the setting is 0, the system chooses it. */
  setPort(port: number): void;
};

/** Creates the public address: PUBLIC_URL, or the listening address (contract 1.5). */
export const createPublicAddress = ({ publicUrl, host, port }: Settings): PublicAddress => {
  let url = publicUrl ?? addressOf(host, port);
  return {
    get url() {
      return url;
    },
    setPort: (taken) => void (url = publicUrl ?? addressOf(host, taken)),
  };
};

/** Replaces a wildcard address, which clients cannot call, with localhost. */
const addressOf = (host: string, port: number): string => {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};
