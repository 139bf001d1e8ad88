import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { it } from '@jest/globals';
import { pino } from 'pino';
import { createLog, type Log } from '../../apps/petstore/logging/log.js';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { makeToken } from '../../apps/petstore/commands/token.command.js';
import type { KeyPair } from '../../libs/adapters/tokens/signing-keys.js';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import { parseSettings, type Environment } from '../../libs/settings/settings.js';
import type { LedgerCharge } from '../../libs/ports/payment-ledger.port.js';
import { readLedger } from './gateway-ledger.js';
import { sharedCluster, startApiOn, startServiceOn, type SharedCluster } from './cluster.js';
import { createClient, type HttpResponse, type RequestOptions, type Client } from './client.js';
import { checkGeneralRules } from './general-rules.js';
import { createResponseCheck, type CheckResponse } from './interface-document.js';

/** The claims of a token. */
export type TokenClaims = { readonly subject?: string; readonly tenant?: string; readonly expiresIn?: number };

/** A service that tests use only over HTTP. */
export type TestPetstore = {
  readonly url: string;
  /** Creates a token. Scopes are separated by spaces. */
  token(scopes: string, claims?: TokenClaims): Promise<string>;
  /** Sends a request. Rejects when the response does not fit `/openapi.json`. */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<HttpResponse<T>>;
  stop(): Promise<void>;
};

/** A service in this process, with access to its internals. */
export type OwnPetstore = TestPetstore & {
  /** Every charge in the gateway's ledger. Only a service on a folder has a ledger. */
  charges(): readonly LedgerCharge[];
  /** The RSA key that signs tokens. */
  tokenKey(): KeyPair;
};

/** The URL of a running service of any profile. If it is set, the suites use that service. */
const GIVEN_URL = process.env['PETSTORE_TEST_URL'];
/** A command that prints a token for that service. It receives the options of `petstore token`. */
const GIVEN_TOKEN_COMMAND = process.env['PETSTORE_TEST_TOKEN_COMMAND'] ?? '';

/** Whether the suites run on the distributed profile. All suites of a process share one cluster. */
const ON_CLUSTER = process.env['PETSTORE_TEST_PROFILE'] === 'distributed';

/** Defines a test that starts a service in this process. It is skipped if the suites use a running service or a cluster. */
export const itOnOwnPetstore: typeof it = GIVEN_URL === undefined && !ON_CLUSTER ? it : (it.skip as typeof it);

/** Defines a test that starts its own service, in the profile of the suites. It is skipped if they use a running service. */
export const itOnAnyProfile: typeof it = GIVEN_URL === undefined ? it : (it.skip as typeof it);

/** Returns the service for a suite: the running one, the cluster's, or a new one in memory. */
export const startTestPetstore = async (): Promise<TestPetstore> => {
  if (ON_CLUSTER) return serviceOnCluster(await sharedCluster());
  if (GIVEN_URL === undefined) return startOwnPetstore();
  const url = GIVEN_URL.replace(/\/+$/, '');
  return { ...(await openClient(url)), url, token: memoize(tokenByCommand) };
};

/** Returns clients of two api processes of the suite's service. Without a cluster, both clients are the same. */
export const startServiceWithTwoApis = async (): Promise<readonly [TestPetstore, TestPetstore]> => {
  const service = await startTestPetstore();
  if (!ON_CLUSTER) return [service, service];
  const cluster = await sharedCluster();
  const api = await startApiOn(cluster);
  const second = await serviceOnCluster({ ...cluster, url: api.url });
  return [service, { ...second, stop: () => second.stop().then(() => api.close()) }];
};

/** Returns a service under the access policy `strict`, in the profile of the suites. */
export const startStrictStore = (): Promise<TestPetstore> => startStoreWith({ ACCESS_POLICY: 'strict' });

/** Returns a service with settings of its own, in the profile of the suites. `log` returns its log. */
export const startStoreWith = async (settings: Readonly<Record<string, string>>): Promise<TestPetstore & { log(): string }> => {
  if (!ON_CLUSTER) {
    let log = '';
    const lines = pino({ level: settings['LOG_LEVEL'] ?? 'silent' }, { write: (line: string) => void (log += line) });
    return { ...(await startOwnPetstore(settings, {}, lines)), log: () => log };
  }
  const cluster = await sharedCluster();
  const api = await startApiOn(cluster, settings);
  const service = await serviceOnCluster({ ...cluster, url: api.url });
  return { ...service, log: () => api.log(), stop: () => service.stop().then(() => api.close()) };
};

/** Returns a service with a new store on the cluster of the suites. Returns null if the suites use no cluster. */
export const startStoreOnCluster = async (settings: Readonly<Record<string, string>>): Promise<TestPetstore | null> => {
  if (!ON_CLUSTER) return null;
  const own = await startServiceOn(await sharedCluster(), settings);
  const service = await serviceOnCluster(own);
  return { ...service, stop: () => service.stop().then(() => own.close()) };
};

/** Starts a service in this process, in memory by default. */
export const startOwnPetstore = async (
  env: Environment = {},
  options: Parameters<typeof start>[2] = {},
  log?: Log,
): Promise<OwnPetstore> => {
  const settings = parseSettings({ PORT: '0', DATA_DIR: ':memory:', RATE_LIMIT: 'off', LOG_LEVEL: 'silent', ...env });
  const running = await start(settings, log ?? createLog(settings.logLevel), options);
  try {
    return await ownServiceOn(running, settings.dataDir);
  } catch (error) {
    await running.stop();
    throw error;
  }
};

const ownServiceOn = async (running: RunningPetstore, dataDir: string): Promise<OwnPetstore> => {
  const client = await openClient(running.url);
  return {
    ...client,
    url: running.url,
    token: memoize(await tokensOf(running)),
    charges: () => readLedger(dataDir),
    tokenKey: () => running.store.signingKeys.current(),
    async stop() {
      await client.stop();
      await running.stop();
    },
  };
};

/** Returns a client that sends its requests to one api process of a cluster. */
export const serviceOnCluster = async ({ url, settings }: SharedCluster): Promise<TestPetstore> => {
  const read = parseSettings(settings);
  const token = memoize((scope, { subject = 'staff', tenant, expiresIn = HOUR } = {}) =>
    makeToken(read, { scope, subject, expiresIn, ...(tenant !== undefined && { tenant }) }),
  );
  return { ...(await openClient(url)), url, token };
};

type MakeToken = (scopes: string, claims?: TokenClaims) => Promise<string>;

const HOUR = 3600;

const tokensOf = async ({ store }: RunningPetstore): Promise<MakeToken> => {
  const tokens = await openTokens(store.keys, store.clock);
  return (scopes, { subject = 'staff', tenant, expiresIn = HOUR } = {}) =>
    tokens.sign({
      subject,
      scopes: scopes.split(' ').filter(Boolean),
      expiresInSeconds: expiresIn,
      ...(tenant !== undefined && { tenant }),
    });
};

const tokenByCommand: MakeToken = async (scopes, { subject = 'staff', tenant, expiresIn = HOUR } = {}) => {
  const [program = '', ...words] = GIVEN_TOKEN_COMMAND.split(' ');
  const options = [
    '--scope',
    scopes,
    '--subject',
    subject,
    '--expires-in',
    String(expiresIn),
    ...(tenant === undefined ? [] : ['--tenant', tenant]),
  ];
  return (await promisify(execFile)(program, [...words, ...options])).stdout.trim();
};

/** Caches tokens: the same arguments return the same token. A command that creates tokens is slow. */
const memoize = (make: MakeToken): MakeToken => {
  const tokens = new Map<string, Promise<string>>();
  return (scopes, claims = {}) => {
    const key = JSON.stringify([scopes, claims]);
    const token = tokens.get(key) ?? make(scopes, claims);
    tokens.set(key, token);
    return token;
  };
};

const openClient = async (url: string): Promise<Pick<TestPetstore, 'request' | 'stop'>> => {
  const client = createClient(url);
  const check = await loadResponseCheck(client);
  return {
    async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<HttpResponse<T>> {
      const response = await client.send(method, path, options);
      checkGeneralRules(method, path, response);
      check(method, path, response);
      return response as HttpResponse<T>;
    },
    stop: async () => client.close(),
  };
};

const loadResponseCheck = async (client: Client): Promise<CheckResponse> => {
  const read = async (path: string): Promise<object> => {
    const { status, json } = await client.send('GET', path);
    if (status !== 200) throw new Error(`${path} returned ${status}`);
    return json as object;
  };
  const check = createResponseCheck(await read('/openapi.json'));
  const checkClassic = createResponseCheck(await read('/api/v3/openapi.json'), '/api/v3', '#/components/schemas/ApiError');
  return (method, path, response) => (path.startsWith('/api/v3') ? checkClassic : check)(method, path, response);
};
