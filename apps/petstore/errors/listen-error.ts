import { DEFAULTS } from '../../../libs/settings/settings.js';
import { CommandError } from './command-error.js';

/** Where a process wants to listen, and the setting that says so. */
type ListenAddress = { readonly host: string; readonly port: number; readonly setting: 'PORT' | 'WORKER_PORT' };

/** A place to listen that cannot be had is a mistake of the caller's, in words; any other failure is returned as it is. */
export const explainListenError = (error: unknown, wanted: ListenAddress): unknown => {
  const why = error instanceof Error && 'code' in error ? EXPLANATIONS[String(error.code)]?.(wanted) : undefined;
  return why === undefined ? error : new CommandError(why);
};

const explainUnknownHost = ({ host }: ListenAddress): string =>
  `HOST is ${JSON.stringify(host)}: this machine has no such address; use ${DEFAULTS.host} or one of its own`;

const EXPLANATIONS: Readonly<Record<string, (wanted: ListenAddress) => string>> = {
  EADDRINUSE: ({ host, port, setting }) =>
    `port ${port} on ${host} is taken: choose another, as ${setting}=${port < 65_535 ? port + 1 : port - 1}`,
  EACCES: ({ host, port, setting }) =>
    `port ${port} on ${host} is not allowed to this user: choose one from 1024 on, as ${setting}=${setting === 'PORT' ? DEFAULTS.port : DEFAULTS.workerPort}`,
  EADDRNOTAVAIL: explainUnknownHost,
  EINVAL: explainUnknownHost,
  ENOTFOUND: explainUnknownHost,
  EAI_AGAIN: explainUnknownHost,
};
