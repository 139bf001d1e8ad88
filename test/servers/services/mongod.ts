import { MongoClient, type Db } from 'mongodb';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.js';
import { install, startRealServer, type RealServer, type ServerOptions } from './real-server.js';

/** A running mongod. */
export type RunningMongod = RealServer & { readonly url: string };

/** The error code when the replica set exists. Only the first start of a folder creates it. */
const ALREADY_INITIALIZED = 23;

type Members = readonly [{ readonly _id: number; readonly host: string }];

/** Gives the replica set of a folder its new address, when the folder was last used with another port. */
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

/**
 * Starts a mongod on its own data. It is a replica set of one member, because transactions need one. Rejects
 * with ServerMissing.
 */
export const startMongod = async (options: ServerOptions = {}): Promise<RunningMongod> => {
  const mongod = await install('mongod');
  const { folder = mkdtempSync(join(tmpdir(), 'petstore-mongod-')) } = options;
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const { port = await freePorts(), isKept } = options;
  const limits = ['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '64', '--wiredTigerEngineConfigString', 'log=(file_max=16MB)'];
  const place = ['--dbpath', data, '--bind_ip', '127.0.0.1', '--port', String(port), '--replSet', 'rs0', '--nounixsocket'];
  const service = await startRealServer({ folder, isKept, command: [mongod, ...place, ...limits], isReady: () => hasPrimary(port) });
  return { ...service, url: `mongodb://127.0.0.1:${port}/?replicaSet=rs0` };
};
