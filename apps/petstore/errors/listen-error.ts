import { DEFAULTS } from '../../../libs/settings/settings.js';
import { CommandError } from './command-error.js';

/** The address to listen on, and the setting of its port. */
type ListenAddress = { readonly host: string; readonly port: number; readonly setting: keyof typeof EXAMPLES };

/** For each setting, the port that error messages suggest. A process needs no privileges to listen on such a port. */
const EXAMPLES = { PORT: DEFAULTS.port, WORKER_PORT: DEFAULTS.workerPort, METRICS_PORT: 9464 };

/** Converts an error of `listen` to a CommandError with the remedy. Returns any other error unchanged. */
export const explainListenError = (error: unknown, wanted: ListenAddress): unknown => {
  const why = error instanceof Error && 'code' in error ? EXPLANATIONS[String(error.code)]?.(wanted) : undefined;
  return why === undefined ? error : new CommandError(why);
};

const explainUnknownHost = ({ host, setting }: ListenAddress): string =>
  `${setting === 'METRICS_PORT' ? 'METRICS_HOST' : 'HOST'} is ${JSON.stringify(host)}, which is not an address of this machine: set it to ${DEFAULTS.host} or to an address of this machine`;

const EXPLANATIONS: Readonly<Record<string, (wanted: ListenAddress) => string>> = {
  EADDRINUSE: ({ host, port, setting }) =>
    `port ${port} on ${host} is in use: choose another, for example ${setting}=${port < 65_535 ? port + 1 : port - 1}`,
  EACCES: ({ host, port, setting }) =>
    `port ${port} on ${host} needs a privileged user: choose one above 1023, for example ${setting}=${EXAMPLES[setting]}`,
  EADDRNOTAVAIL: explainUnknownHost,
  EINVAL: explainUnknownHost,
  ENOTFOUND: explainUnknownHost,
  EAI_AGAIN: explainUnknownHost,
};
