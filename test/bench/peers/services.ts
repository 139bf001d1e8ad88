import { MongoClient } from 'mongodb';
import { parseSettings, type Settings } from '../../../libs/settings/settings.js';
import { requireServers } from '../../../apps/petstore/composition/distributed/open-servers.js';
import { openDistributedStore } from '../../../apps/petstore/composition/distributed/distributed.js';
import { createLog } from '../../../apps/petstore/logging/log.js';
import { seedCommand } from '../../../apps/petstore/commands/seed.command.js';
import { makeToken } from '../../../apps/petstore/commands/token.command.js';
import { startCluster } from '../../servers/cluster.js';
import { startMongod } from '../../servers/services/mongod.js';
import { startServer } from '../server.js';
import type { CostSources } from './costs.js';
import { copyEvents, copyKeys, petsIn, untilSettled, type PetBody } from './servers.js';

/** One of the compared services. All have the same pets with the same ids. */
export type Peer = CostSources & {
  readonly url: string;
  /** The Authorization header of POST /v1/pets. Null if the service needs none. */
  readonly authorization: string | null;
  /** Resolves once projections and relay have reached the end of the log. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type PeerName = 'by hand' | 'embedded' | 'distributed';

/** Settings of both profiles. The rate limit is so high that it rejects no request, but the service counts each one. */
const SETTINGS = { RATE_LIMIT: '100000000/60s', LOG_LEVEL: 'warn' };
const INSERT_BATCH = 5_000;

type Closable = { readonly close: () => Promise<void> };

const authorizationFor = async (settings: Settings): Promise<string> =>
  `Bearer ${await makeToken(settings, { scope: 'write:pets', subject: 'bench', expiresIn: 3600 })}`;

/** Fills a folder with pets and serves it. */
const startEmbedded = async (folder: Settings): Promise<Peer> => {
  const server = await startServer('dist/apps/petstore/main.js', ['start'], { DATA_DIR: folder.dataDir, PORT: '0', ...SETTINGS });
  return {
    url: server.url,
    pids: { service: server.pid },
    mongo: null,
    authorization: await authorizationFor(folder),
    settled: async () => undefined,
    close: () => server.stop(),
  };
};

/** Copies the data of the folder to new servers, and starts one API and one worker on them. */
const startDistributed = async (folder: Settings): Promise<Peer> => {
  const cluster = await startCluster({ apis: 0, workers: [], settings: SETTINGS });
  const opened: Closable[] = [cluster];
  const close = async (): Promise<void> => {
    for (const each of opened.toReversed()) await each.close();
  };
  try {
    const settings = parseSettings({ ...cluster.settings, DATA_DIR: folder.dataDir });
    await copyKeys(folder.dataDir, cluster.mongod.url);
    const store = await openDistributedStore(requireServers(settings), createLog('warn'));
    opened.push(store);
    await copyEvents(folder.dataDir, store.store);
    const worker = await cluster.startWorker();
    const api = await cluster.startApi();
    await untilSettled(store);
    const mongo = await new MongoClient(cluster.mongod.url).connect();
    opened.push(mongo);
    const [eventStore, mongod, kafka] = [cluster.eventStore.pid(), cluster.mongod.pid(), cluster.kafka.pid()];
    return {
      url: api.url,
      pids: { api: api.pid(), worker: worker.pid(), 'event store': eventStore, mongod, kafka },
      mongo,
      authorization: await authorizationFor(settings),
      settled: () => untilSettled(store),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Starts the CRUD service on a new mongod with the pets. */
const startByHand = async (pets: readonly PetBody[]): Promise<Peer> => {
  const mongod = await startMongod();
  try {
    const server = await startServer('dist/test/bench/peers/by-hand.js', [], { MONGODB_URL: mongod.url });
    const mongo = await new MongoClient(mongod.url, { writeConcern: { w: 'majority', journal: true } }).connect();
    const collection = mongo.db('by_hand').collection<{ _id: string }>('pets');
    const documents = pets.map(({ id, price, ...fields }) => ({
      _id: id,
      ...fields,
      ...(price !== undefined && { price, priceMinor: Math.round(Number(price) * 100) }),
    }));
    for (let from = 0; from < documents.length; from += INSERT_BATCH)
      await collection.insertMany(documents.slice(from, from + INSERT_BATCH), { ordered: false });
    const close = async (): Promise<void> => {
      await server.stop();
      await mongo.close();
      await mongod.close();
    };
    return {
      url: server.url,
      pids: { server: server.pid, mongod: mongod.pid() },
      mongo,
      authorization: null,
      settled: async () => undefined,
      close,
    };
  } catch (error) {
    await mongod.close();
    throw error;
  }
};

/** The compared services, and the ids of their pets. */
export type Peers = Closable & { readonly services: Readonly<Record<PeerName, Peer>>; readonly ids: readonly string[] };

/** Starts the service in both profiles and the CRUD service, all with the same pets. */
export const startPeers = async (directory: string, count: number): Promise<Peers> => {
  const folder = parseSettings({ DATA_DIR: directory, LOG_LEVEL: 'warn' });
  const started: Closable[] = [];
  const register = <Service extends Closable>(service: Service): Service => {
    started.push(service);
    return service;
  };
  const close = async (): Promise<void> => {
    for (const service of started.toReversed()) await service.close();
  };
  try {
    await seedCommand(folder, { pets: count, pictures: 0, seed: 1 });
    const pets = await petsIn(folder.dataDir);
    const distributed = register(await startDistributed(folder));
    const embedded = register(await startEmbedded(folder));
    const byHand = register(await startByHand(pets));
    return { services: { 'by hand': byHand, embedded, distributed }, ids: pets.map(({ id }) => id), close };
  } catch (error) {
    await close();
    throw error;
  }
};
