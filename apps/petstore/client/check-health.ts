import { existsSync } from 'node:fs';
import type { Settings } from '../../../libs/settings/settings.js';
import { clock } from '../composition/clock.js';
import { CommandError } from '../errors/command-error.js';
import { EXIT_INCOMPLETE } from '../errors/exit-codes.js';
import { abortAfter, sendRequest } from './send-request.js';

/** The kind of process to check. The embedded service counts as `api`, because it listens on PORT. */
export type CheckedProcess = 'api' | 'worker';

/** The maximum time for a response in milliseconds. The health checks in deploy/ allow three seconds for the whole command. */
const TIMEOUT = 2_000;

const SETTING = { api: 'PORT', worker: 'WORKER_PORT' } as const;
const BOTH = ['api', 'worker'] as const;

/** The host at which this machine reaches a process that listens on HOST. */
export const reachableHost = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

/** An address to check, and the settings that lead to it. */
type CheckedAddress = { readonly url: string; readonly foundBy: string };

/**
 * Prints the address at which a process is live. If none is live, prints the result for each address and sets exit code 1.
 * Without `only`, checks the service that runs on the store in DATA_DIR. If there is no store in DATA_DIR, and in the distributed
 * profile, checks the ports of the api and the worker, so that the containers of both can use the same health check.
 */
export const checkHealth = async (settings: Settings, only?: CheckedProcess): Promise<void> => {
  const ofStore = only === undefined ? await findStoreAddress(settings) : undefined;
  const addresses = ofStore === undefined ? portAddresses(settings, only) : ofStore;
  if (addresses === null) return reportDown([`no service runs on ${settings.dataDir} (DATA_DIR)`]);
  const responses = await Promise.all(addresses.map(readLiveness));
  const live = responses.find(({ isLive }) => isLive);
  if (live) process.stdout.write(`${live.text}\n`);
  else reportDown(responses.map(({ text }) => text));
};

const reportDown = (lines: readonly string[]): void => {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = EXIT_INCOMPLETE;
};

/**
 * Returns the address of the service that runs on the store in DATA_DIR. Returns null if no service runs on the store, and
 * undefined if there is no such store.
 */
const findStoreAddress = async ({ dataDir, servers }: Settings): Promise<readonly CheckedAddress[] | null | undefined> => {
  if (servers || dataDir === ':memory:' || !existsSync(dataDir)) return undefined;
  // Imported only when needed, because an orchestrator runs the check of an api or a worker every few seconds.
  const { hasStore, readFolderOwner } = await import('../composition/embedded/folder.js');
  const owner = await readFolderOwner(dataDir);
  if (owner?.url !== undefined) return [{ url: `${owner.url}/health/live`, foundBy: 'DATA_DIR' }];
  return hasStore(dataDir) ? null : undefined;
};

const portAddresses = (settings: Settings, only?: CheckedProcess): readonly CheckedAddress[] => {
  const ports = { api: settings.port, worker: settings.workerPort };
  const checked = (only ? [only] : BOTH).filter((name) => ports[name] !== 0);
  if (checked.length === 0)
    throw new CommandError(
      `${only ? SETTING[only] : 'PORT'} is 0, so the port of the process is unknown: set ${only ? SETTING[only] : 'PORT'} to that port`,
    );
  return checked.map((name) => ({ url: `http://${reachableHost(settings.host)}:${ports[name]}/health/live`, foundBy: SETTING[name] }));
};

type Liveness = { readonly isLive: boolean; readonly text: string };

const readLiveness = async ({ url, foundBy }: CheckedAddress): Promise<Liveness> => {
  const signal = abortAfter(clock, TIMEOUT);
  try {
    const response = await sendRequest(new URL(url), 'directly', { signal });
    const { statusCode: status = 0 } = response;
    response.destroy();
    const isLive = status >= 200 && status < 300;
    return { isLive, text: isLive ? `live: ${url}` : `${url} (${foundBy}) answers ${status}` };
  } catch {
    return {
      isLive: false,
      text: signal.aborted ? `${url} (${foundBy}) does not answer within ${TIMEOUT} ms` : `no process listens at ${url} (${foundBy})`,
    };
  }
};
