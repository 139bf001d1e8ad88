import { MongoClient, type Db } from 'mongodb';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeContainer, describeLocal, imageOf, startContainer, usesContainers } from './container.js';
import { freePorts } from './free-ports.js';
import { install, newFolder, startRealServer, type RealServer, type ServerOptions } from './real-server.js';

/** A running mongod. */
export type RunningMongod = RealServer & { readonly url: string; /** The server and its version. */ readonly versions: string };

/** MongoDB's error code for a replica set that exists already. It occurs at every start on a folder except the first. */
const ALREADY_INITIALIZED = 23;

type Members = readonly [{ readonly _id: number; readonly host: string }];

/** Changes the address in the replica set, if its folder was last used with another port. */
const moveReplicaSet = async (admin: Db, members: Members): Promise<void> => {
  const { config } = (await admin.command({ replSetGetConfig: 1 })) as unknown as { config: { version: number; members: Members } };
  if (config.members[0].host === members[0].host) return;
  await admin.command({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
};

const hasPrimary = async (port: number): Promise<boolean> => {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, { serverSelectionTimeoutMS: 500 });
  try {
    const admin = client.db('admin');
    const members: Members = [{ _id: 0, host: `127.0.0.1:${port}` }];
    await admin.command({ replSetInitiate: { _id: 'rs0', members } }).catch((error: unknown) => {
      if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== ALREADY_INITIALIZED) throw error;
    });
    await moveReplicaSet(admin, members);
    return (await admin.command({ hello: 1 }))['isWritablePrimary'] === true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
};

/** Describes a server by the version that it reports. */
export const describeMongod = async (url: string, place: string): Promise<string> => {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 10_000 });
  try {
    return `MongoDB ${String((await client.db('admin').command({ buildInfo: 1 }))['version'])}, ${place}`;
  } finally {
    await client.close();
  }
};

const LIMITS = ['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '64', '--wiredTigerEngineConfigString', 'log=(file_max=16MB)'];
const REPLICA_SET = ['--replSet', 'rs0', '--nounixsocket'];

const startInContainer = async (folder: string, port: number): Promise<RealServer> =>
  startContainer({
    image: imageOf('mongo'),
    folder,
    ports: [port],
    command: ['mongod', '--bind_ip_all', '--port', String(port), ...REPLICA_SET, ...LIMITS],
    isReady: () => hasPrimary(port),
  });

const startProcess = async (folder: string, port: number, isKept: boolean | undefined): Promise<RealServer> => {
  const mongod = await install('mongod');
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const place = ['--dbpath', data, '--bind_ip', '127.0.0.1', '--port', String(port)];
  return startRealServer({ folder, isKept, command: [mongod, ...place, ...REPLICA_SET, ...LIMITS], isReady: () => hasPrimary(port) });
};

/**
 * Starts a mongod with its own data: in a container if `usesContainers`. The mongod is a replica set of one member,
 * because transactions need a replica set. Rejects with ServerMissing if it cannot be installed.
 */
export const startMongod = async (options: ServerOptions = {}): Promise<RunningMongod> => {
  const { folder = newFolder('mongod'), port = await freePorts(), isKept } = options;
  const inContainer = await usesContainers(options);
  const service = inContainer ? await startInContainer(folder, port) : await startProcess(folder, port, isKept);
  const url = `mongodb://127.0.0.1:${port}/?replicaSet=rs0`;
  const versions = await describeMongod(url, inContainer ? describeContainer('mongo') : describeLocal());
  return { ...service, url, versions };
};
