import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BSON, MongoClient, type CreateIndexesOptions, type Db, type Document } from 'mongodb';
import { openEventStore, type EventStoreDb } from '../../libs/adapters/eventstoredb/index.js';
import { databaseIn } from '../../libs/adapters/mongodb/connection/connection.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { readLog } from '../journeys/distributed/read-log.js';
import { waitUntilCaughtUp } from '../journeys/distributed/readiness.js';
import { caller, type Call } from '../servers/calling.js';
import { startCluster, type Cluster } from '../servers/cluster.js';
import { newFolder } from '../servers/data-folder.js';
import { runPetstore, STAFF_SCOPES } from '../servers/process.js';
import { packJson, unpackJson, writeJson } from './version-files.js';
import { sellPet } from './sell-pet.js';
import { pathsIn, PUBLIC_URL, readAll } from './version-reads.js';
import { readTopicState, restoreTopicState, type TopicState } from './topic-records.js';
import { silentLog } from '../silent-log.js';

/** The key that wraps the keys in MongoDB. It is only for tests and contains readable text. */
export const KEY_ENCRYPTION_KEY = Buffer.from('golden test key: key encryption.');
/** ORDER_HOLD is ten years, so that the unpaid orders of the golden data do not expire. */
const SETTINGS = { PUBLIC_URL, ORDER_HOLD: '3650d', LOG_LEVEL: 'warn', KEY_ENCRYPTION_KEY: KEY_ENCRYPTION_KEY.toString('base64') };

/** The state of a MongoDB collection: options, indexes and documents as Extended JSON. */
type CollectionState = { readonly options: Document; readonly indexes: readonly Document[]; readonly documents: readonly Document[] };
type DatabaseState = Readonly<Record<string, CollectionState>>;

/** Starts servers without a store. */
export const startServers = (): Promise<Cluster> => startCluster({ apis: 0, workers: [], settings: SETTINGS });

const withLog = async <T>({ eventStore }: Cluster, work: (log: EventStoreDb) => Promise<T>): Promise<T> => {
  const log = await openEventStore({ url: eventStore.url, clock: systemClock, log: silentLog });
  try {
    return await work(log);
  } finally {
    await log.close();
  }
};

/** Reads every event of the event store. */
export const readEvents = (cluster: Cluster): Promise<readonly StoredEvent[]> => withLog(cluster, (log) => readLog(log));

const restoreEvents = (cluster: Cluster, events: readonly StoredEvent[]): Promise<void> =>
  withLog(cluster, async (log) => {
    for (const { stream, revision, id, type, data, metadata } of events)
      await log.append(stream, revision === 0 ? 'none' : revision - 1, [{ id, type, data, metadata }]);
  });

const withDatabase = async <T>({ mongod }: Cluster, work: (database: Db) => Promise<T>): Promise<T> => {
  const client = new MongoClient(mongod.url);
  try {
    return await work(client.db(databaseIn(mongod.url)));
  } finally {
    await client.close();
  }
};

const toJson = (value: unknown): Document => JSON.parse(BSON.EJSON.stringify(value, { relaxed: false })) as Document;
const fromJson = <T>(value: unknown): T => BSON.EJSON.parse(JSON.stringify(value), { relaxed: false }) as T;

/** Reads every collection of the database. */
export const readDatabase = (cluster: Cluster): Promise<DatabaseState> =>
  withDatabase(cluster, async (database) => {
    const state: Record<string, CollectionState> = {};
    for (const { name, options = {} } of await database.listCollections({}, { nameOnly: false }).toArray()) {
      const collection = database.collection(name);
      const [indexes, documents] = await Promise.all([collection.listIndexes().toArray(), collection.find().sort({ _id: 1 }).toArray()]);
      state[name] = { options: toJson(options), indexes: indexes.map(toJson), documents: documents.map(toJson) };
    }
    return Object.fromEntries(Object.entries(state).sort(([one], [other]) => (one < other ? -1 : 1)));
  });

const restoreDatabase = (cluster: Cluster, state: DatabaseState): Promise<void> =>
  withDatabase(cluster, async (database) => {
    for (const [name, { options, indexes, documents }] of Object.entries(state)) {
      const collection = await database.createCollection(name, fromJson<Document>(options));
      for (const { key, v: _version, ...index } of indexes.map((one) => fromJson<Document>(one)))
        if (index['name'] !== '_id_') await collection.createIndex(key as Record<string, 1>, index as CreateIndexesOptions);
      if (documents.length > 0) await collection.insertMany(documents.map((one) => fromJson<Document>(one)));
    }
  });

/** A running api and worker, and a client of the api. */
export type Processes = { readonly call: Call; readonly url: string; readonly stop: () => Promise<void> };

/** Starts an api and a worker, and waits until every read model has caught up. */
export const startProcesses = async (cluster: Cluster): Promise<Processes> => {
  const [worker, api] = await Promise.all([cluster.startWorker(), cluster.startApi()]);
  await waitUntilCaughtUp(api.url);
  const token = await runPetstore(['token', '--scope', STAFF_SCOPES], { dataDir: newFolder(), env: cluster.settings });
  return {
    url: api.url,
    call: caller(api.url, token.stdout.trim()),
    async stop() {
      await api.stop();
      await worker.stop();
    },
  };
};

/** Creates a pet that can be ordered. Returns its id. */
export const createPet = async (call: Call, name: string): Promise<string> => {
  const { status, json } = await call('POST', '/v1/pets', { body: { name, species: 'DOG', ageMonths: 1 } });
  if (status !== 201) throw new Error(`the pet was rejected: ${JSON.stringify(json)}`);
  return String(json['id']);
};

/**
 * Writes the golden data of servers. `petstore copy` fills the servers from an embedded folder. Then an api and a worker make
 * further changes.
 */
export const writeServers = async (dataDir: string, golden: string): Promise<void> => {
  const cluster = await startServers();
  try {
    const copied = await runPetstore(['copy', '--to', 'distributed'], { dataDir, env: cluster.settings });
    if (copied.code !== 0) throw new Error(copied.stderr);
    const { call, url, stop } = await startProcesses(cluster);
    await sellPet(call, await createPet(call, 'Sold by several processes'));
    await createPet(call, 'Kept');
    await waitUntilCaughtUp(url);
    const events = await readEvents(cluster);
    const reads = await readAll(call, pathsIn(events));
    await stop();
    mkdirSync(golden);
    packJson(join(golden, 'events.json.gz'), await readEvents(cluster));
    packJson(join(golden, 'collections.json.gz'), await readDatabase(cluster));
    packJson(join(golden, 'topics.json.gz'), await readTopicState(cluster.kafka.brokers));
    writeJson(join(golden, 'reads.json'), reads);
  } finally {
    await cluster.close();
  }
};

/** Returns the events in the golden data of servers. */
export const readStoredEvents = (golden: string): readonly StoredEvent[] => unpackJson(join(golden, 'events.json.gz'));

/** Restores golden data on servers without a store. */
export const restoreServers = async (golden: string, cluster: Cluster): Promise<void> => {
  await restoreEvents(cluster, readStoredEvents(golden));
  await restoreDatabase(cluster, unpackJson(join(golden, 'collections.json.gz')));
  await restoreTopicState(cluster.kafka.brokers, unpackJson<TopicState>(join(golden, 'topics.json.gz')));
};
