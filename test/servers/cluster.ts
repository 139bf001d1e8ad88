import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendRequest } from '../../apps/petstore/client/send-request.js';
import { newNamespace } from './new-namespace.js';
import { ROOT } from './program.js';
import { startEventStore, type RunningEventStore } from './services/event-store.js';
import { freePorts } from './services/free-ports.js';
import { BROKERS_AUTHORITY, LOGIN, startKafka, type RunningKafka } from './services/kafka.js';
import { startMongod, type RunningMongod } from './services/mongod.js';
import { startRealServer, type RealServer, type ServerOptions } from './services/real-server.js';

const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const MAIN = join(ROOT, 'dist', 'apps', 'petstore', 'main.js');

/** A process of the service. */
export type Member = RealServer & { readonly url: string; /** Its log. */ log(): string };

/**
 * The processes of the distributed profile, with Kafka, mongod and a server that speaks EventStoreDB's
 * protocol. With PETSTORE_TEST_SERVERS=containers, the servers run in containers.
 */
export type Cluster = {
  readonly eventStore: RunningEventStore;
  readonly mongod: RunningMongod;
  readonly kafka: RunningKafka;
  readonly apis: readonly Member[];
  readonly workers: readonly Member[];
  /** The settings that all processes of the service share. */
  readonly settings: Readonly<Record<string, string>>;
  /** The servers and their versions. */
  readonly versions: string;
  /** Starts another api. */
  startApi(): Promise<Member>;
  /** Starts another worker with these roles, by default with all roles. */
  startWorker(roles?: string): Promise<Member>;
  /** Starts another service on the same servers, with its own store. It ends with this cluster. */
  startNeighbour(namespace: string, members?: MemberCounts): Promise<Cluster>;
  close(): Promise<void>;
};

type MemberCounts = {
  readonly apis?: number;
  /** The roles of each worker, separated by commas. */
  readonly workers?: readonly string[];
};

export type ClusterOptions = MemberCounts & {
  readonly settings?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** Whether the processes connect to the listener of Kafka that requires TLS and a password. */
  readonly guarded?: boolean;
  /** Starts a proxy for the event store at the given URL. Returns the URL of the proxy, which the processes use instead. */
  readonly beforeEventStore?: (url: string) => Promise<string>;
};

/** Every role of a worker. */
export const ALL_ROLES = 'projections,relay,consumers,deliveries,timers';

/** Milliseconds until a process without a response gets the next request. */
const READY_TIMEOUT = 5_000;

const isReady = async (url: string): Promise<boolean> => {
  try {
    // With NODE_USE_ENV_PROXY, `fetch` would send the request to the proxy of the environment.
    const response = await sendRequest(new URL(`${url}/health/ready`), 'directly', { signal: AbortSignal.timeout(READY_TIMEOUT) });
    response.destroy();
    return response.statusCode === 200;
  } catch {
    return false;
  }
};

type OnFolder = ServerOptions & { readonly folder: string };

/** Starts `petstore api` or `petstore worker`. Resolves when it is ready. */
export const startMember = async (
  options: OnFolder,
  args: readonly ['api' | 'worker', ...string[]],
  settings: Readonly<Record<string, string>>,
): Promise<Member> => {
  const { folder, port = await freePorts(), isKept } = options;
  const portName = args[0] === 'api' ? 'PORT' : 'WORKER_PORT';
  mkdirSync(folder, { recursive: true });
  const url = `http://127.0.0.1:${port}`;
  const environment = Object.entries({ ...settings, [portName]: String(port) }).map(([name, value]) => `${name}=${value}`);
  const command = ['/usr/bin/env', ...environment, NODE, '--no-warnings', MAIN, ...args] as const;
  const service = await startRealServer({ folder, isKept, command: [...command], isReady: () => isReady(url) });
  return { ...service, url, log: () => readFileSync(join(folder, 'log'), 'utf8') };
};

const guardedSettings = ({ guarded }: RunningKafka): Readonly<Record<string, string>> => ({
  KAFKA_BROKERS: guarded,
  KAFKA_TLS: 'on',
  KAFKA_USERNAME: LOGIN.username,
  KAFKA_PASSWORD: LOGIN.password,
  NODE_EXTRA_CA_CERTS: BROKERS_AUTHORITY,
});

/** Something that runs until it is closed. */
type Running = { close(): Promise<void> };

/**
 * Resolves when all servers or processes have started. If one of them fails, the function waits for the rest, closes
 * those that have started, and rejects.
 */
const startTogether = async <T extends readonly Running[]>(starting: { readonly [K in keyof T]: Promise<T[K]> }): Promise<T> => {
  const outcomes = await Promise.allSettled<Running>(starting);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (!failed) return Promise.all(starting);
  await Promise.all(outcomes.map(async (outcome) => outcome.status === 'fulfilled' && outcome.value.close()));
  throw failed.reason;
};

/**
 * Starts the servers and the processes of a cluster. They end when this process ends, or earlier with `close`. Rejects
 * with ServerMissing if a server cannot be installed. After a failed start, none of them is left running.
 */
export const startCluster = async (options: ClusterOptions = {}): Promise<Cluster> => {
  const { settings: extra, guarded = false, beforeEventStore } = options;
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'petstore-cluster-'));
  const of = (name: string): string => join(folder, name);
  const [mongod, kafka, eventStore] = await startTogether<[RunningMongod, RunningKafka, RunningEventStore]>([
    startMongod({ folder: of('mongod') }),
    startKafka({ folder: of('kafka') }),
    startEventStore({ folder: of('event-store') }),
  ]);
  const settings = {
    EVENTSTOREDB_URL: (await beforeEventStore?.(eventStore.url)) ?? eventStore.url,
    MONGODB_URL: mongod.url,
    ...(guarded ? guardedSettings(kafka) : { KAFKA_BROKERS: kafka.brokers }),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'info',
    ...extra,
  };
  const members: Member[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(members.map((member) => member.close()));
    await Promise.all([mongod.close(), kafka.close(), eventStore.close()]);
    if (options.folder === undefined) await rm(folder, { recursive: true });
  };
  try {
    return await startService({ eventStore, mongod, kafka, settings, close, folder, members }, options);
  } catch (error) {
    await close();
    throw error;
  }
};

type Servers = Pick<Cluster, 'eventStore' | 'mongod' | 'kafka' | 'settings' | 'close'> & {
  readonly folder: string;
  /** The processes of all services on these servers. */
  readonly members: Member[];
};

/** Starts the processes of a service. */
const startService = async (servers: Servers, { apis: apiCount = 1, workers: roles = [ALL_ROLES] }: MemberCounts): Promise<Cluster> => {
  const { folder, members, settings, ...rest } = servers;
  const start = async (...args: readonly ['api' | 'worker', ...string[]]): Promise<Member> => {
    const member = await startMember({ folder: join(folder, `${args[0]}-${randomUUID()}`) }, args, settings);
    members.push(member);
    return member;
  };
  const startApi = (): Promise<Member> => start('api');
  const startWorker = (names = ALL_ROLES): Promise<Member> => start('worker', '--roles', names);
  const startNeighbour = (namespace: string, counts: MemberCounts = {}): Promise<Cluster> =>
    startService({ ...servers, settings: { ...settings, NAMESPACE: namespace } }, counts);
  const workers = await startTogether(roles.map((names) => startWorker(names)));
  const apis = await startTogether(Array.from({ length: apiCount }, startApi));
  const versions = [rest.eventStore, rest.mongod, rest.kafka].map((server) => server.versions).join('; ');
  return { ...rest, versions, settings, apis, workers, startApi, startWorker, startNeighbour };
};

/** A cluster that all specs of a process share. */
export type SharedCluster = { readonly url: string; readonly settings: Readonly<Record<string, string>> };

/**
 * Returns the cluster that all specs of this process share. The first call starts the cluster. It ends with this process.
 */
export const sharedCluster = async (): Promise<SharedCluster> => {
  const folder = join(tmpdir(), `petstore-cluster-of-${process.pid}`);
  const file = join(folder, 'cluster.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as SharedCluster;
  mkdirSync(folder, { recursive: true });
  // With a long WRITE_WAIT, tests that send no Consistency-Token read their own writes on a busy machine, too (contract 10.2).
  const { apis, settings } = await startCluster({ folder, settings: { WRITE_WAIT: '20s' } });
  const shared = { url: apis[0]?.url ?? '', settings };
  writeFileSync(file, JSON.stringify(shared));
  return shared;
};

/** Starts an api and a worker on the servers of a cluster. They are a service with a store of its own. */
export const startServiceOn = async (
  { settings }: SharedCluster,
  more: Readonly<Record<string, string>>,
): Promise<SharedCluster & Running> => {
  const all = { ...settings, ...more, NAMESPACE: newNamespace() };
  const start = (...args: Parameters<typeof startMember>[1]): Promise<Member> =>
    startMember({ folder: mkdtempSync(join(tmpdir(), `petstore-${args[0]}-`)) }, args, all);
  const [worker, api] = await startTogether<[Member, Member]>([start('worker', '--roles', ALL_ROLES), start('api')]);
  const close = async (): Promise<void> => void (await Promise.all([worker.close(), api.close()]));
  return { url: api.url, settings: all, close };
};

/** Starts another api on a cluster, with more settings. */
export const startApiOn = ({ settings }: SharedCluster, more: Readonly<Record<string, string>> = {}): Promise<Member> =>
  startMember({ folder: mkdtempSync(join(tmpdir(), 'petstore-api-')) }, ['api'], { ...settings, ...more });
