import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usesContainers } from './container.js';
import { describeEventStore, readEventStoreVersion, startEventStore } from './event-store.js';
import { startKafka, type RunningKafka } from './kafka.js';
import { describeMongod, startMongod, type RunningMongod } from './mongod.js';
import { pidIn, ServerMissing } from './real-server.js';

/** The reason why a server cannot be tested on this machine. */
export type Missing = { readonly missing: string };

/** Returns whether a server is missing. */
export const isMissing = (found: object): found is Missing => 'missing' in found;

/** Returns a program that may be absent on any machine, or the reason why it is missing. */
export const catchProgramMissing = async <T>(found: Promise<T>): Promise<T | Missing> => {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof ServerMissing)) throw error;
    return { missing: error.message };
  }
};

/** Returns the server, or the reason why it is missing. If CI is `true`, rejects instead of returning the reason. */
export const catchServerMissing = <T>(found: Promise<T>): Promise<T | Missing> =>
  process.env['CI'] === 'true' ? found : catchProgramMissing(found);

/** The server and its version, for the output of the tests. */
type Versions = { readonly versions: string };

/**
 * Returns a server that all specs of a process share. Specs have separate module registries, so the server's address
 * and version are stored in a file. Each spec uses its own databases and topics.
 */
const shared = async <T extends Versions>(name: string, start: (folder: string) => Promise<T>): Promise<T> => {
  const folder = join(tmpdir(), `petstore-${name}-of-${process.pid}`);
  const file = join(folder, 'server.json');
  if (pidIn(folder) !== null) return JSON.parse(readFileSync(file, 'utf8')) as T;
  mkdirSync(folder, { recursive: true });
  const server = await start(folder);
  writeFileSync(file, JSON.stringify(server));
  return server;
};

/** A mongod that tests must not stop: that of MONGODB_URL, or one that ends with this process. */
export const sharedMongod = async (): Promise<({ readonly url: string } & Versions) | Missing> => {
  const given = process.env['MONGODB_URL'];
  if (given) return { url: given, versions: await describeMongod(given, 'the server of MONGODB_URL') };
  return catchServerMissing(shared('mongod', (folder) => startMongod({ folder })));
};

/** Brokers that tests must not stop: those of KAFKA_BROKERS, or one that ends with this process. */
export const sharedKafka = async (): Promise<({ readonly brokers: string } & Versions) | Missing> => {
  const given = process.env['KAFKA_BROKERS'];
  if (given) return { brokers: given, versions: 'Kafka of an unknown version, the brokers of KAFKA_BROKERS' };
  return catchServerMissing(shared('kafka', (folder) => startKafka({ folder })));
};

/**
 * An EventStoreDB that tests must not stop: that of EVENTSTOREDB_URL, or one in a container that ends with this
 * process. If there is neither, returns that it is missing. The local server that speaks the protocol is no replacement here,
 * because other suites test that server.
 */
export const sharedEventStore = async (): Promise<({ readonly url: string; readonly version: string } & Versions) | Missing> => {
  const given = process.env['EVENTSTOREDB_URL'];
  if (given) {
    const version = await readEventStoreVersion(given);
    return { url: given, version, versions: describeEventStore(version, 'the server of EVENTSTOREDB_URL') };
  }
  if (!(await usesContainers({}))) return { missing: 'set EVENTSTOREDB_URL' };
  return catchServerMissing(shared('eventstoredb', (folder) => startEventStore({ folder })));
};

/** A mongod that a test may kill and restart. */
export const ownMongod = async (): Promise<RunningMongod | Missing> =>
  process.env['MONGODB_URL'] ? { missing: 'tests must not kill the server of MONGODB_URL' } : catchServerMissing(startMongod());

/** A Kafka that a test may kill and restart. */
export const ownKafka = async (): Promise<RunningKafka | Missing> =>
  process.env['KAFKA_BROKERS'] ? { missing: 'tests must not kill the brokers of KAFKA_BROKERS' } : catchServerMissing(startKafka());
