import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { it } from '@jest/globals';
import { createLog } from '../../apps/petstore/logging/log.js';
import { start, type RunningStore } from '../../apps/petstore/start.js';
import { makeToken } from '../../apps/petstore/commands/token.command.js';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import { parseSettings, type Environment } from '../../libs/settings/settings.js';
import type { LedgerCharge } from '../../libs/adapters/gateway/ledger.js';
import { readLedger } from './gateway-ledger.js';
import { sharedCluster, startApiOn, type SharedCluster } from './cluster.js';
import { createClient, type Answer, type RequestOptions, type Client } from './client.js';
import { checkGeneralRules } from './general-rules.js';
import { createAnswerCheck, type CheckAnswer } from './interface-document.js';

/** The claims of a token. */
export type TokenClaims = { readonly subject?: string; readonly tenant?: string; readonly expiresIn?: number };

/** A service that tests use only over HTTP. */
export type TestStore = {
  readonly url: string;
  /** Creates a token. Scopes are separated by spaces. */
  token(scopes: string, claims?: TokenClaims): Promise<string>;
  /** Sends a request. Rejects when the response does not fit `/openapi.json`. */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<Answer<T>>;
  stop(): Promise<void>;
};

/** A service in this process, with access to its internals. */
export type OwnStore = TestStore & {
  /** Every charge in the gateway's ledger. Only a service on a folder has a ledger. */
  charges(): readonly LedgerCharge[];
  /** The 32 bytes from which the token key is derived. */
  tokenSeed(): Promise<Uint8Array>;
};

/** The URL of a running service of any profile. If it is set, the suites use that service. */
const GIVEN_URL = process.env['PETSTORE_TEST_URL'];
/** A command that prints a token for that service. It receives the options of `petstore token`. */
const GIVEN_TOKEN_COMMAND = process.env['PETSTORE_TEST_TOKEN_COMMAND'] ?? '';

/** Whether the suites run on the distributed profile. All suites of a process share one cluster. */
const ON_CLUSTER = process.env['PETSTORE_TEST_PROFILE'] === 'distributed';

/** Defines a test that starts a service. It is skipped if the suites use a running service or a cluster. */
export const itOnOwnStore: typeof it = GIVEN_URL === undefined && !ON_CLUSTER ? it : (it.skip as typeof it);

/** Returns the service for a suite: the running one, the cluster's, or a new one in memory. */
export const startStore = async (): Promise<TestStore> => {
  if (ON_CLUSTER) return storeOnCluster(await sharedCluster());
  if (GIVEN_URL === undefined) return startOwnStore();
  const url = GIVEN_URL.replace(/\/+$/, '');
  return { ...(await openClient(url)), url, token: memoize(tokenByCommand) };
};

/** Returns clients of two APIs of the suite's service. In the embedded profile both are the same. */
export const startStoreWithTwoApis = async (): Promise<readonly [TestStore, TestStore]> => {
  const store = await startStore();
  if (!ON_CLUSTER) return [store, store];
  const cluster = await sharedCluster();
  const api = await startApiOn(cluster);
  const second = await storeOnCluster({ ...cluster, url: api.url });
  return [store, { ...second, stop: () => second.stop().then(() => api.close()) }];
};

/** Starts a service in this process, in memory by default. */
export const startOwnStore = async (env: Environment = {}, options: Parameters<typeof start>[2] = {}): Promise<OwnStore> => {
  const settings = parseSettings({ PORT: '0', DATA_DIR: ':memory:', RATE_LIMIT: 'off', LOG_LEVEL: 'silent', ...env });
  const running = await start(settings, createLog(settings.logLevel), options);
  try {
    return await ownStoreOn(running, settings.dataDir);
  } catch (error) {
    await running.stop();
    throw error;
  }
};

const ownStoreOn = async (running: RunningStore, dataDir: string): Promise<OwnStore> => {
  const client = await openClient(running.url);
  return {
    ...client,
    url: running.url,
    token: memoize(await tokensOf(running)),
    charges: () => readLedger(dataDir),
    tokenSeed: () => running.store.keys.serviceKey('token-signing'),
    async stop() {
      await client.stop();
      await running.stop();
    },
  };
};

/** Returns a client of a cluster through one of its APIs. */
export const storeOnCluster = async ({ url, settings }: SharedCluster): Promise<TestStore> => {
  const read = parseSettings(settings);
  const token = memoize((scope, { subject = 'staff', tenant, expiresIn = HOUR } = {}) =>
    makeToken(read, { scope, subject, expiresIn, ...(tenant !== undefined && { tenant }) }),
  );
  return { ...(await openClient(url)), url, token };
};

type MakeToken = (scopes: string, claims?: TokenClaims) => Promise<string>;

const HOUR = 3600;

const tokensOf = async ({ store }: RunningStore): Promise<MakeToken> => {
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

/** Creates each token once, because a command is slow. */
const memoize = (make: MakeToken): MakeToken => {
  const tokens = new Map<string, Promise<string>>();
  return (scopes, claims = {}) => {
    const key = JSON.stringify([scopes, claims]);
    const token = tokens.get(key) ?? make(scopes, claims);
    tokens.set(key, token);
    return token;
  };
};

const openClient = async (url: string): Promise<Pick<TestStore, 'request' | 'stop'>> => {
  const client = createClient(url);
  const check = await loadAnswerCheck(client);
  return {
    async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
      const answer = await client.send(method, path, options);
      checkGeneralRules(method, path, answer);
      check(method, path, answer);
      return answer as Answer<T>;
    },
    stop: async () => client.close(),
  };
};

const loadAnswerCheck = async (client: Client): Promise<CheckAnswer> => {
  const { status, json } = await client.send('GET', '/openapi.json');
  if (status !== 200) throw new Error(`/openapi.json answered ${status}`);
  return createAnswerCheck(json as object);
};
