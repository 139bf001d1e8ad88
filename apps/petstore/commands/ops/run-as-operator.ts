import { userInfo } from 'node:os';
import type { Settings } from '../../../../libs/settings/settings.js';
import { connectClient, type ServiceClient, type ServiceOptions } from '../../client/service-client.js';
import { findServiceUrl } from '../../running/find-service-url.js';

/** The subject and the scopes of the token with which a command calls the service. */
type Caller = { readonly subject: string; readonly scope: string };

/**
 * Runs work with a client whose token has the scopes of `caller`. The client calls the service at `--url`, or the service that
 * runs on DATA_DIR. Otherwise, this process opens the store and serves the client's requests, without a port. That happens if no
 * service runs on DATA_DIR, and always in the distributed profile without `--url`.
 */
export const runAsCaller = async <T>(
  settings: Settings,
  options: ServiceOptions,
  caller: Caller,
  work: (client: Pick<ServiceClient, 'request'>) => Promise<T>,
): Promise<T> => {
  const isRunning = options.url !== undefined || (!settings.servers && (await findServiceUrl(settings)) !== null);
  if (isRunning) return work(await connectClient(settings, options, caller));
  // Imported only when needed, because the web framework takes long to load.
  const { withApiInProcess } = await import('../../in-process/api-in-process.js');
  return withApiInProcess(settings, { ...caller, ...(options.tenant !== undefined && { tenant: options.tenant }) }, work);
};

/**
 * Returns the subject of a command whose caller is recorded in the log: the name of the user of this machine. A user without a name,
 * as in some containers, has its number.
 */
export const operatorName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 0}`;
  }
};

/** Runs work as `runAsCaller` does, with the scope ops. */
export const runAsOperator = <T>(
  settings: Settings,
  options: ServiceOptions,
  subject: string,
  work: (client: Pick<ServiceClient, 'request'>) => Promise<T>,
): Promise<T> => runAsCaller(settings, options, { subject, scope: 'ops' }, work);
