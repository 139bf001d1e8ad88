import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka, type RunningKafka } from './kafka.js';
import { startMongod, type RunningMongod } from './mongod.js';
import { pidIn, ServerMissing } from './real-server.js';

/** Why something cannot be tested here. */
export type Missing = { readonly missing: string };

/** Whether something cannot be tested here. */
export const isMissing = (found: object): found is Missing => 'missing' in found;

/** Returns why a server is missing. With CI=true a missing server is a failure. */
export const catchServerMissing = async <T>(found: Promise<T>): Promise<T | Missing> => {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof ServerMissing) || process.env['CI'] === 'true') throw error;
    return { missing: error.message };
  }
};

/**
 * Returns the address of a server that all specs of a process share. Specs have separate module registries,
 * so the address is in the server's folder. Their databases and topics have different names.
 */
const shared = async (name: string, start: (folder: string) => Promise<string>): Promise<string> => {
  const folder = join(tmpdir(), `petstore-${name}-of-${process.pid}`);
  const file = join(folder, 'address');
  if (pidIn(folder) !== null) return readFileSync(file, 'utf8');
  mkdirSync(folder, { recursive: true });
  const address = await start(folder);
  writeFileSync(file, address);
  return address;
};

/** A mongod that tests must not stop: that of MONGODB_URL, or one that ends with this process. */
export const sharedMongod = async (): Promise<{ readonly url: string } | Missing> => {
  const given = process.env['MONGODB_URL'];
  if (given) return { url: given };
  return catchServerMissing(shared('mongod', async (folder) => (await startMongod({ folder })).url).then((url) => ({ url })));
};

/** Brokers that tests must not stop: those of KAFKA_BROKERS, or one that ends with this process. */
export const sharedKafka = async (): Promise<{ readonly brokers: string } | Missing> => {
  const given = process.env['KAFKA_BROKERS'];
  if (given) return { brokers: given };
  return catchServerMissing(shared('kafka', async (folder) => (await startKafka({ folder })).brokers).then((brokers) => ({ brokers })));
};

/** A mongod that a test may kill and restart. */
export const ownMongod = async (): Promise<RunningMongod | Missing> =>
  process.env['MONGODB_URL'] ? { missing: 'tests must not kill the server of MONGODB_URL' } : catchServerMissing(startMongod());

/** A Kafka that a test may kill and restart. */
export const ownKafka = async (): Promise<RunningKafka | Missing> =>
  process.env['KAFKA_BROKERS'] ? { missing: 'tests must not kill the brokers of KAFKA_BROKERS' } : catchServerMissing(startKafka());
