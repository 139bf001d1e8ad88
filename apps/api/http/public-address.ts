import type { Settings } from '../../../libs/settings/settings.js';

/** Start of every absolute URL handed out, without a trailing slash. Final once the server listens. */
export type PublicAddress = {
  readonly url: string;
  /** Tells the port that was taken, where the settings left it open. */
  listening(port: number): void;
};

/** "PUBLIC_URL (defaults to the listening address …, the only source of absolute URLs)" */
export const createPublicAddress = ({ publicUrl, host, port }: Settings): PublicAddress => {
  let url = publicUrl ?? addressOf(host, port);
  return {
    get url() {
      return url;
    },
    listening: (taken) => void (url = publicUrl ?? addressOf(host, taken)),
  };
};

/** All addresses of a machine are no address to call; its own name for itself is. */
const addressOf = (host: string, port: number): string => {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};
