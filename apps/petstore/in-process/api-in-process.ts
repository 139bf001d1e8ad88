import type { TokenSigner } from '../../../libs/ports/access-token.port.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { ErrorResponse, type HttpResponse, type ServiceClient } from '../client/service-client.js';
import { createDistributedApi } from '../commands/api.command.js';
import { openServedStore } from '../composition/distributed/distributed.js';
import { requireServers } from '../composition/distributed/open-servers.js';
import { openEmbeddedStore } from '../composition/embedded/embedded.js';
import { CommandError } from '../errors/command-error.js';
import { createLog } from '../logging/log.js';
import { createEmbeddedApi } from '../start.js';

/** A service in this process that opens no port and runs no background role. */
type ApiInProcess = {
  readonly app: Awaited<ReturnType<typeof createEmbeddedApi>>['app'];
  readonly tokens: TokenSigner;
  close(): Promise<void>;
};

/** The lifetime of the operator's token in seconds. */
const TOKEN_SECONDS = 3600;

/** The caller of the requests. */
export type Operator = { readonly subject: string; readonly scope: string; readonly tenant?: string };

/**
 * Runs work with a client of a service in this process. The service opens the store in DATA_DIR, or the servers of the
 * distributed profile. So a command sends the same requests, whether a service is running or not.
 */
export const withApiInProcess = async <T>(
  settings: Settings,
  operator: Operator,
  work: (client: Pick<ServiceClient, 'request'>) => Promise<T>,
): Promise<T> => withServiceInProcess(settings, async (service) => work(await clientOf(service, operator)));

/** Runs work with a service in this process, and closes the service afterwards. */
export const withServiceInProcess = async <T>(
  settings: Settings,
  work: (service: Omit<ApiInProcess, 'close'>) => Promise<T>,
): Promise<T> => {
  const service = await openService(settings);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
};

const openService = async (configured: Settings): Promise<ApiInProcess> => {
  // The operator waits for the result of the command, so only warnings and errors are logged. The command is the only
  // caller, so it needs no rate limit.
  const settings: Settings = { ...configured, rateLimit: 'off', logLevel: configured.logLevel === 'silent' ? 'silent' : 'warn' };
  const log = createLog(settings.logLevel);
  if (settings.servers) {
    const store = await openServedStore(requireServers(settings), log);
    await store.revocations.refresh();
    return initialise(await createDistributedApi(settings, log, store), store);
  }
  if (settings.dataDir === ':memory:')
    throw new CommandError(
      'DATA_DIR is :memory:, so the change would be lost: set DATA_DIR to a folder, or pass --url of a running service',
    );
  const store = await openEmbeddedStore({
    directory: settings.dataDir,
    log,
    egress: settings,
    signingKeyFile: settings.signingKeyFile,
  });
  return initialise(await createEmbeddedApi(settings, log, store), store);
};

const initialise = async (
  { app, accepted }: Pick<Awaited<ReturnType<typeof createEmbeddedApi>>, 'app' | 'accepted'>,
  store: { close(): Promise<void> },
): Promise<ApiInProcess> => {
  const close = async (): Promise<void> => {
    await app.close();
    accepted.close();
    await store.close();
  };
  try {
    await app.init();
    return { app, tokens: accepted.tokens, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const clientOf = async (
  { app, tokens }: Omit<ApiInProcess, 'close'>,
  { subject, scope, tenant }: Operator,
): Promise<Pick<ServiceClient, 'request'>> => {
  const token = await tokens.sign({ subject, scopes: scope.split(' '), expiresInSeconds: TOKEN_SECONDS });
  const headers = { authorization: `Bearer ${token}`, ...(tenant !== undefined && { 'x-tenant-id': tenant }) };
  return {
    async request<T>(method: string, path: string, body?: unknown): Promise<HttpResponse<T>> {
      const payload = body === undefined ? {} : { payload: body as object };
      const { statusCode: status, body: text } = await app.inject({ method: method as 'GET', url: path, headers, ...payload });
      const json: unknown = text === '' ? {} : JSON.parse(text);
      if (status >= 400) throw new ErrorResponse(`${method} ${path}`, status, json as object);
      return { status, json: json as T };
    },
  };
};
