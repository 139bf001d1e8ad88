import { openEventStore, type EventStoreDb } from '../../../../libs/adapters/eventstoredb/index.js';
import { sharedLedger } from '../../../../libs/adapters/gateway/index.js';
import { inspectMongo, openMongo, WrongWrappingKey, type Mongo } from '../../../../libs/adapters/mongodb/index.js';
import { systemClock } from '../../../../libs/adapters/system/index.js';
import { STREAM_PREFIXES } from '../../../../libs/domain/events.js';
import { StoreUnavailable } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { StoreRecord } from '../../../../libs/runtime/codec/store-identity.js';
import type { Servers, Settings } from '../../../../libs/settings/settings.js';
import { createLog, type Log } from '../../logging/log.js';
import { CommandError } from '../../errors/command-error.js';
import type { EgressSettings } from '../egress.js';
import { requireStore } from './one-store.js';
import type { OpenKeys } from '../embedded/folder.js';

/** The settings that are needed to open a store of the distributed profile. */
export type DistributedSettings = Pick<Settings, 'keyEncryptionKey' | 'previousKeyEncryptionKey'> &
  Partial<Pick<Settings, 'signingKeyFile' | 'nodeEnv'>> &
  EgressSettings & { readonly servers: Servers };

/** Returns the settings. Throws CommandError if the settings do not name the servers of the distributed profile. */
export const requireServers = (settings: Settings): DistributedSettings & Settings => {
  if (!settings.servers)
    throw new CommandError(
      'EVENTSTOREDB_URL, MONGODB_URL and KAFKA_BROKERS are missing: set all three for the distributed profile, or run "start" for the embedded one',
    );
  return { ...settings, servers: settings.servers };
};

/** Opens the log. Its reads return only events of this store, even if other programs use the same EventStoreDB server. */
export const openEvents = ({ servers }: DistributedSettings, log: Log): Promise<EventStoreDb> =>
  openEventStore({
    url: servers.eventStoreUrl,
    namespace: servers.namespace,
    streams: STREAM_PREFIXES,
    clock: systemClock,
    log,
  }).catch((error: unknown) => {
    throw error instanceof StoreUnavailable ? serverUnreachable('EVENTSTOREDB_URL', error) : error;
  });

/** Creates the error for a server that does not answer at startup. The message names its setting. */
const serverUnreachable = (setting: 'EVENTSTOREDB_URL' | 'MONGODB_URL', error: Error): CommandError =>
  new CommandError(`${setting}: ${error.message}. Start the server, or correct the address`, { cause: error });

/** Opens the database, which stores all data except events. Rejects with CommandError if the database cannot be used. */
export const openDatabase = async (settings: DistributedSettings, log: Log): Promise<Mongo> => {
  const { servers, keyEncryptionKey, previousKeyEncryptionKey } = settings;
  try {
    const { mongoUrl: url, namespace } = servers;
    const keys = { ...(keyEncryptionKey && { keyEncryptionKey }), ...(previousKeyEncryptionKey && { previousKeyEncryptionKey }) };
    return await openMongo({ url, namespace, clock: systemClock, log, ...keys });
  } catch (error) {
    if (error instanceof WrongWrappingKey) throw new CommandError(error.message, { cause: error });
    // The driver throws its own errors for an invalid address or a rejected user. Their names begin with `Mongo`.
    const isOfMongo = error instanceof Error && (error instanceof StoreUnavailable || error.name.startsWith('Mongo'));
    throw isOfMongo ? serverUnreachable('MONGODB_URL', error) : error;
  }
};

/** Looks at the database without changing it: its time, whether it has a store, and which of these checkpoints. */
export const inspectDatabase = ({ servers }: Pick<DistributedSettings, 'servers'>, checkpoints: readonly string[]) =>
  inspectMongo({ url: servers.mongoUrl, namespace: servers.namespace }, checkpoints);

/** Opens the database of an existing store. Rejects with CommandError if the database contains no store. */
export const openStoredDatabase = async (settings: DistributedSettings, log: Log): Promise<Mongo> => {
  const mongo = await openDatabase(settings, log);
  try {
    await requireStore(openStoreRecords(mongo));
    return mongo;
  } catch (error) {
    await mongo.close();
    throw error;
  }
};

/** Opens the keys in the database, without the log. Rejects with CommandError if the database contains no store. */
export const openSharedKeys = async (settings: DistributedSettings): Promise<OpenKeys> => {
  const mongo = await openStoredDatabase(settings, createLog('silent'));
  return { keys: mongo.keys, close: () => mongo.close() };
};

/** Opens the records that contain the store id. */
export const openStoreRecords = (mongo: Mongo) => mongo.records<StoreRecord>('store');

/** Opens the ledger of the simulated payment gateway, which all processes share. */
export const openLedger = (mongo: Mongo) =>
  sharedLedger({
    instruments: mongo.records('gateway_instruments'),
    charges: mongo.records('gateway_charges'),
    refunds: mongo.records('gateway_refunds'),
    sweeps: mongo.records('gateway_sweeps'),
  });
