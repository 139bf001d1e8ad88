import { CommandError } from './command-error.js';

/** Where a process wants to listen, and the setting that says so. */
type Wanted = { readonly host: string; readonly port: number; readonly setting: 'PORT' | 'WORKER_PORT' };

/** A port that another program has is something the caller can mend; any other failure stays what it is. */
export const refusedPort = (error: unknown, { host, port, setting }: Wanted): unknown =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    ? new CommandError(`port ${port} on ${host} is taken: choose another, as ${setting}=${port < 65_535 ? port + 1 : port - 1}`)
    : error;
