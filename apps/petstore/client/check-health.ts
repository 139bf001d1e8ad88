import type { Settings } from '../../../libs/settings/settings.js';
import { clock } from '../composition/clock.js';
import { CommandError } from '../errors/command-error.js';
import { EXIT_INCOMPLETE } from '../errors/exit-codes.js';
import { abortAfter } from './abort-after.js';

/** The kind of process to check. The embedded service counts as `api`, because it listens on PORT. */
export type CheckedProcess = 'api' | 'worker';

/** The maximum time for a response in milliseconds. The health checks in deploy/ allow three seconds for the whole command. */
const TIMEOUT = 2_000;

const SETTING = { api: 'PORT', worker: 'WORKER_PORT' } as const;
const BOTH = ['api', 'worker'] as const;

/** The host at which this machine reaches a process that listens on HOST. */
const reachableHost = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

/**
 * Prints the address at which a process is live. If none is live, prints the result for each address and sets exit code 1.
 * Without `only`, checks the ports of the api and the worker, so that the containers of both can use the same health check.
 */
export const checkHealth = async (settings: Settings, only?: CheckedProcess): Promise<void> => {
  const ports = { api: settings.port, worker: settings.workerPort };
  const checked = (only ? [only] : BOTH).filter((name) => ports[name] !== 0);
  if (checked.length === 0)
    throw new CommandError(
      `${only ? SETTING[only] : 'PORT'} is 0, so the port of the process is unknown: set ${only ? SETTING[only] : 'PORT'} to that port`,
    );
  const responses = await Promise.all(
    checked.map((name) => readLiveness(`http://${reachableHost(settings.host)}:${ports[name]}/health/live`, SETTING[name])),
  );
  const live = responses.find(({ isLive }) => isLive);
  if (live) process.stdout.write(`${live.text}\n`);
  else {
    process.stderr.write(`${responses.map(({ text }) => text).join('\n')}\n`);
    process.exitCode = EXIT_INCOMPLETE;
  }
};

type Liveness = { readonly isLive: boolean; readonly text: string };

const readLiveness = async (url: string, setting: string): Promise<Liveness> => {
  const signal = abortAfter(clock, TIMEOUT);
  try {
    const { ok, status } = await fetch(url, { signal, redirect: 'manual' });
    return { isLive: ok, text: ok ? `live: ${url}` : `${url} (${setting}) answers ${status}` };
  } catch {
    return {
      isLive: false,
      text: signal.aborted ? `${url} (${setting}) does not answer within ${TIMEOUT} ms` : `no process listens at ${url} (${setting})`,
    };
  }
};
