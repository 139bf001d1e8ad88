import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka, type RunningKafka } from './kafka.js';
import { startMongod, type RunningMongod } from './mongod.js';
import { pidIn, ServerMissing } from './real-server.js';

/** Why something cannot be tried here. */
export type Missing = { readonly missing: string };

/** Whether there is nothing to try it on. */
export const isMissing = (found: object): found is Missing => 'missing' in found;

/** "With CI=true nothing may be missing": there what cannot be had is a failure. */
export const orMissing = async <T>(found: Promise<T>): Promise<T | Missing> => {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof ServerMissing) || process.env['CI'] === 'true') throw error;
    return { missing: error.message };
  }
};

/**
 * All specs that one process runs share a server: each has a module registry of its own, so that the first one leaves the
 * address in the server's folder for the others. Specs keep apart by the names of their databases and topics.
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

/** A mongod for tests that leave it running: the one that MONGODB_URL names, else a real one that ends with this process. */
export const sharedMongod = async (): Promise<{ readonly url: string } | Missing> => {
  const given = process.env['MONGODB_URL'];
  if (given) return { url: given };
  return orMissing(shared('mongod', async (folder) => (await startMongod({ folder })).url).then((url) => ({ url })));
};

/** Brokers for tests that leave them running: those that KAFKA_BROKERS names, else a real one that ends with this process. */
export const sharedKafka = async (): Promise<{ readonly brokers: string } | Missing> => {
  const given = process.env['KAFKA_BROKERS'];
  if (given) return { brokers: given };
  return orMissing(shared('kafka', async (folder) => (await startKafka({ folder })).brokers).then((brokers) => ({ brokers })));
};

/** A mongod that a test may kill and start again. */
export const ownMongod = async (): Promise<RunningMongod | Missing> =>
  process.env['MONGODB_URL'] ? { missing: 'the server that MONGODB_URL names may not be killed' } : orMissing(startMongod());

/** A Kafka that a test may kill and start again. */
export const ownKafka = async (): Promise<RunningKafka | Missing> =>
  process.env['KAFKA_BROKERS'] ? { missing: 'the brokers that KAFKA_BROKERS names may not be killed' } : orMissing(startKafka());
