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
import { createClient, type Answer, type Asked, type Client } from './client.js';
import { checkManners } from './manners.js';
import { answerChecks, type CheckAnswer } from './interface-document.js';

/** Whom a token names and which tenant it is bound to. */
export type TokenFor = { readonly subject?: string; readonly tenant?: string; readonly expiresIn?: number };

/** A store as its clients meet it: over HTTP, and nothing else. */
export type TestStore = {
  readonly url: string;
  /** A token of this store; scopes are separated by spaces. */
  token(scopes: string, tokenFor?: TokenFor): Promise<string>;
  /** Asks over HTTP. Rejects when the answer is not what `/openapi.json` says, whatever the test then makes of it. */
  request<T = unknown>(method: string, path: string, asked?: Asked): Promise<Answer<T>>;
  stop(): Promise<void>;
};

/** A store that runs in this process, with what only such a one can show. */
export type OwnStore = TestStore & {
  /** Every charge in the gateway's ledger; only of a store in a folder. */
  charges(): readonly LedgerCharge[];
  /** The 32 bytes from which the store's token key follows: what a thief would need. */
  tokenSeed(): Promise<Uint8Array>;
};

/** A store that runs already, whichever profile it is: the same suites ask it. */
const GIVEN_URL = process.env['PETSTORE_TEST_URL'];
/** Prints a token of that store; `--scope`, `--subject`, `--tenant` and `--expires-in` are added to it, as for `petstore token`. */
const GIVEN_TOKEN_COMMAND = process.env['PETSTORE_TEST_TOKEN_COMMAND'] ?? '';

/** The suites ask the distributed profile: a cluster that the first of them starts, and that all of one process share. */
const ON_CLUSTER = process.env['PETSTORE_TEST_PROFILE'] === 'distributed';

/** A case that needs a store of its own: other settings, a look at the ledger. Skipped by name where one is given. */
export const itOnOwnStore: typeof it = GIVEN_URL === undefined && !ON_CLUSTER ? it : (it.skip as typeof it);

/** The store that suites ask: the given one, else a new one in memory, that no other suite sees. */
export const startStore = async (): Promise<TestStore> => {
  if (ON_CLUSTER) return storeOnCluster(await sharedCluster());
  if (GIVEN_URL === undefined) return startOwnStore();
  const url = GIVEN_URL.replace(/\/+$/, '');
  return { ...(await openClient(url)), url, token: remembered(tokenByCommand) };
};

/** The store that suites ask, by two apis where it has several processes, else the same twice. */
export const startStoreTwice = async (): Promise<readonly [TestStore, TestStore]> => {
  const store = await startStore();
  if (!ON_CLUSTER) return [store, store];
  const cluster = await sharedCluster();
  const api = await startApiOn(cluster);
  const second = await storeOnCluster({ ...cluster, url: api.url });
  return [store, { ...second, stop: () => second.stop().then(() => api.close()) }];
};

/** A new store in this process, in memory unless DATA_DIR says otherwise. */
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
    token: remembered(await tokensOf(running)),
    charges: () => readLedger(dataDir),
    tokenSeed: () => running.store.keys.serviceKey('token-signing'),
    async stop() {
      await client.stop();
      await running.stop();
    },
  };
};

/** The cluster as its clients meet it, by one of its apis. */
export const storeOnCluster = async ({ url, settings }: SharedCluster): Promise<TestStore> => {
  const read = parseSettings(settings);
  const token = remembered((scope, { subject = 'staff', tenant, expiresIn = HOUR } = {}) =>
    makeToken(read, { scope, subject, expiresIn, ...(tenant !== undefined && { tenant }) }),
  );
  return { ...(await openClient(url)), url, token };
};

type MakeToken = (scopes: string, tokenFor?: TokenFor) => Promise<string>;

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
  const wish = [
    '--scope',
    scopes,
    '--subject',
    subject,
    '--expires-in',
    String(expiresIn),
    ...(tenant === undefined ? [] : ['--tenant', tenant]),
  ];
  return (await promisify(execFile)(program, [...words, ...wish])).stdout.trim();
};

/** A command takes its time, so the same token is made once. */
const remembered = (make: MakeToken): MakeToken => {
  const made = new Map<string, Promise<string>>();
  return (scopes, tokenFor = {}) => {
    const wish = JSON.stringify([scopes, tokenFor]);
    const token = made.get(wish) ?? make(scopes, tokenFor);
    made.set(wish, token);
    return token;
  };
};

const openClient = async (url: string): Promise<Pick<TestStore, 'request' | 'stop'>> => {
  const client = createClient(url);
  const check = await documentOf(client);
  return {
    async request<T>(method: string, path: string, asked: Asked = {}): Promise<Answer<T>> {
      const answer = await client.send(method, path, asked);
      checkManners(method, path, answer);
      check(method, path, answer);
      return answer as Answer<T>;
    },
    stop: async () => client.close(),
  };
};

const documentOf = async (client: Client): Promise<CheckAnswer> => {
  const { status, json } = await client.send('GET', '/openapi.json');
  if (status !== 200) throw new Error(`/openapi.json answered ${status}`);
  return answerChecks(json as object);
};
