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
import { copyEvents, copyKeys, petsIn, untilSettled, type ShownPet } from './servers.js';

/** One of the compared stores; all hold the same pets with the same ids. */
export type PeerStore = CostSources & {
  readonly url: string;
  /** Sent with a creation. */
  readonly authorization: string | null;
  /** Resolves once projections and relay have reached the end of the log. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type Names = 'by hand' | 'embedded' | 'distributed';

/** So high that no request is rejected, yet each one is counted. */
const ALLOWANCE = { RATE_LIMIT: '100000000/60s', LOG_LEVEL: 'warn' };
const INSERTED_AT_ONCE = 5_000;

type Closing = { readonly close: () => Promise<void> };

const authorizationFor = async (settings: Settings): Promise<string> =>
  `Bearer ${await makeToken(settings, { scope: 'write:pets', subject: 'bench', expiresIn: 3600 })}`;

/** Fills a folder with pets and serves it. */
const startEmbedded = async (folder: Settings): Promise<PeerStore> => {
  const server = await startServer('dist/apps/petstore/main.js', ['start'], { DATA_DIR: folder.dataDir, PORT: '0', ...ALLOWANCE });
  return {
    url: server.url,
    pids: { store: server.pid },
    mongo: null,
    authorization: await authorizationFor(folder),
    settled: async () => undefined,
    close: () => server.stop(),
  };
};

/** Copies the folder to servers of its own, and starts one api and one worker there. */
const startDistributed = async (folder: Settings): Promise<PeerStore> => {
  const cluster = await startCluster({ apis: 0, workers: [], settings: ALLOWANCE });
  const opened: Closing[] = [cluster];
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

/** Starts the CRUD store on a mongod of its own, and gives it the pets. */
const startByHand = async (pets: readonly ShownPet[]): Promise<PeerStore> => {
  const mongod = await startMongod();
  try {
    const server = await startServer('dist/test/bench/peers/by-hand.js', [], { MONGODB_URL: mongod.url });
    const mongo = await new MongoClient(mongod.url, { writeConcern: { w: 'majority', journal: true } }).connect();
    const collection = mongo.db('by_hand').collection<{ _id: string }>('pets');
    const documents = pets.map(({ id, ...fields }) => ({ _id: id, ...fields }));
    for (let from = 0; from < documents.length; from += INSERTED_AT_ONCE)
      await collection.insertMany(documents.slice(from, from + INSERTED_AT_ONCE), { ordered: false });
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

/** What is compared, and what all of them hold. */
export type Peers = Closing & { readonly stores: Readonly<Record<Names, PeerStore>>; readonly ids: readonly string[] };

/** Starts all three with the same pets. */
export const startPeers = async (directory: string, count: number): Promise<Peers> => {
  const folder = parseSettings({ DATA_DIR: directory, LOG_LEVEL: 'warn' });
  const started: Closing[] = [];
  const kept = <Started extends Closing>(store: Started): Started => {
    started.push(store);
    return store;
  };
  const close = async (): Promise<void> => {
    for (const store of started.toReversed()) await store.close();
  };
  try {
    await seedCommand(folder, { pets: count, seed: 1 });
    const pets = await petsIn(folder.dataDir);
    const distributed = kept(await startDistributed(folder));
    const embedded = kept(await startEmbedded(folder));
    const byHand = kept(await startByHand(pets));
    return { stores: { 'by hand': byHand, embedded, distributed }, ids: pets.map(({ id }) => id), close };
  } catch (error) {
    await close();
    throw error;
  }
};
