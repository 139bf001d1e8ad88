import { EventStoreDBClient } from '@eventstore/db-client';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { reachLoopbackDirectly } from '../../../libs/adapters/eventstoredb/connection/loopback.js';
import { ROOT } from '../program.js';
import { describeContainer, describeLocal, imageOf, startContainer, usesContainers } from './container.js';
import { freePorts } from './free-ports.js';
import { newFolder, startRealServer, type RealServer, type ServerOptions } from './real-server.js';

const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const PROTOCOL_SERVER = join(ROOT, 'dist', 'test', 'servers', 'eventstoredb', 'main.js');

const IMAGE = 'eventstore/eventstore';
/** The port on which EventStoreDB listens inside its container. */
const PORT = 2113;

/** A running EventStoreDB, or a server that speaks its protocol. */
export type RunningEventStore = RealServer & {
  readonly url: string;
  /** The version that it reports. */
  readonly version: string;
  /** The server and its version. */
  readonly versions: string;
};

/** Returns the version that a server reports. Rejects if it does not respond. */
export const readEventStoreVersion = async (url: string): Promise<string> => {
  reachLoopbackDirectly();
  const client = EventStoreDBClient.connectionString(url);
  try {
    return (await client['capabilities']).serverVersion;
  } finally {
    await client.dispose();
  }
};

/** Returns whether a version is that of EventStoreDB. The server in test/servers/eventstoredb reports no number. */
export const isRealEventStore = (version: string): boolean => /^\d+\.\d+/.test(version);

/** Describes a server by the version that it reports. Only a real EventStoreDB is called EventStoreDB. */
export const describeEventStore = (version: string, place: string): string =>
  `${isRealEventStore(version) ? `EventStoreDB ${version}` : version}, ${place}`;

/** Resolves with true if the server responds, and rejects otherwise. */
const isReady = async (url: string): Promise<boolean> => {
  await readEventStoreVersion(url);
  return true;
};

const startInContainer = (folder: string, port: number, url: string): Promise<RealServer> =>
  startContainer({
    image: imageOf(IMAGE),
    folder,
    ports: [{ container: PORT, host: port }],
    environment: {
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_CLUSTER_SIZE: '1',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
      EVENTSTORE_TELEMETRY_OPTOUT: 'true',
    },
    isReady: () => isReady(url),
  });

const startProcess = async (folder: string, port: number, url: string, isKept: boolean | undefined): Promise<RealServer> => {
  mkdirSync(folder, { recursive: true });
  const command = [NODE, '--no-warnings', PROTOCOL_SERVER, join(folder, 'data'), String(port)] as const;
  return startRealServer({ folder, isKept, command, isReady: () => isReady(url) });
};

/** Starts EventStoreDB in a container if `usesContainers`, and otherwise a local server that speaks its protocol. */
export const startEventStore = async (options: ServerOptions = {}): Promise<RunningEventStore> => {
  const { folder = newFolder('event-store'), port = await freePorts(), isKept } = options;
  const url = `esdb://127.0.0.1:${port}?tls=false`;
  const inContainer = await usesContainers(options);
  const service = inContainer ? await startInContainer(folder, port, url) : await startProcess(folder, port, url, isKept);
  const version = await readEventStoreVersion(url);
  return { ...service, url, version, versions: describeEventStore(version, inContainer ? describeContainer(IMAGE) : describeLocal()) };
};
