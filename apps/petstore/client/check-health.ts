import type { Settings } from '../../../libs/settings/settings.js';
import { clock } from '../composition/clock.js';
import { CommandError } from '../errors/command-error.js';
import { EXIT_INCOMPLETE } from '../errors/exit-codes.js';
import { abortAfter } from './abort-after.js';

/**
 * A process with health checks. The embedded service is checked as `api`, because it also listens on PORT.
 */
export type CheckedProcess = 'api' | 'worker';

/** Milliseconds. The health checks in deploy/ allow three seconds, which include the start of this command. */
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
 * Prints the address at which a process is live. Otherwise sets exit code 1 and prints the
 * response of each address. Checks both ports unless a process is named, because a container runs only one.
 */
export const checkHealth = async (settings: Settings, only?: CheckedProcess): Promise<void> => {
  const ports = { api: settings.port, worker: settings.workerPort };
  const checked = (only ? [only] : BOTH).filter((name) => ports[name] !== 0);
  if (checked.length === 0)
    throw new CommandError(
      `${only ? SETTING[only] : 'PORT'} is 0, so the port of the process is unknown: set it to the port of the process`,
    );
  const answers = await Promise.all(
    checked.map((name) => readLiveness(`http://${reachableHost(settings.host)}:${ports[name]}/health/live`, SETTING[name])),
  );
  const live = answers.find(({ isLive }) => isLive);
  if (live) process.stdout.write(`${live.text}\n`);
  else {
    process.stderr.write(`${answers.map(({ text }) => text).join('\n')}\n`);
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
