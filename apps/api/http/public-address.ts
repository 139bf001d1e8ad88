import type { Settings } from '../../../libs/settings/settings.js';

/** The prefix of every absolute URL, without a slash at the end. It is final once the server listens. */
export type PublicAddress = {
  readonly url: string;
  /** Sets the port, which is unknown before if the setting is 0. */
  listening(port: number): void;
};

/** Creates the public address: PUBLIC_URL, or the listening address (contract 1.5). */
export const createPublicAddress = ({ publicUrl, host, port }: Settings): PublicAddress => {
  let url = publicUrl ?? addressOf(host, port);
  return {
    get url() {
      return url;
    },
    listening: (taken) => void (url = publicUrl ?? addressOf(host, taken)),
  };
};

/** A client cannot call a wildcard address, so it becomes localhost. */
const addressOf = (host: string, port: number): string => {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};
