import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Server, ServerCredentials, status, type sendUnaryData } from '@grpc/grpc-js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { openSqlite } from '../../../libs/adapters/sqlite/index.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { serveBatchAppend, type BatchAppendCall } from './appends.js';
import type { Backing } from './backing.js';
import { serveFeatures, serveGossip } from './cluster.js';
import { Faults } from './faults.js';
import { serveRead, type ReadCall } from './reads.js';

const HOST = '127.0.0.1';
/** The real server's limit for one message, in bytes. */
const MAX_MESSAGE_BYTES = 17 * 1024 * 1024;

/** A server that speaks EventStoreDB's protocol and has its own store. */
export type ProtocolServer = {
  /** `esdb://127.0.0.1:PORT?tls=false` */
  readonly url: string;
  readonly port: number;
  readonly faults: Faults;
  /** Ends every subscription, as a server does when a subscriber is too slow or its node steps down. */
  dropSubscriptions(): void;
  /** Breaks every connection. */
  cutConnections(): void;
  /** Closes the port. `start` opens the same port again, with the same data. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

/** Starts a server on a loopback port; 0 chooses a free port. Its data are in a folder, or in memory for `:memory:`. */
export const startProtocolServer = async (directory: string, wantedPort = 0): Promise<ProtocolServer> => {
  const embedded = await openSqlite({
    directory,
    projectors: [],
    codec: { verify: rejectDecoding, hashOf: rejectDecoding, decode: rejectDecoding, skippedRevisions: rejectDecoding },
    clock: systemClock,
    log: SILENT,
  });
  const sockets = new Set<Socket>();
  const cutConnections = (): void => sockets.forEach((socket) => socket.destroy());
  const faults = new Faults();
  const backing: Backing = {
    store: embedded.events,
    head: embedded.head,
    faults,
    inFlight: new Set(),
    cutConnections,
    subscriptions: new Set(),
  };
  const grpc = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES, 'grpc.max_send_message_length': MAX_MESSAGE_BYTES });
  const connections = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer((socket) => {
    sockets.add(socket.setNoDelay());
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    connections.injectConnection(socket);
  });
  let port = wantedPort;
  const start = async (): Promise<void> => {
    await once(listener.listen(port, HOST), 'listening');
    port = (listener.address() as AddressInfo).port;
  };
  const stop = async (): Promise<void> => {
    const closed = once(listener, 'close');
    listener.close();
    cutConnections();
    await closed;
  };
  await start();
  addServices(grpc, backing, port);
  return {
    url: `esdb://${HOST}:${port}?tls=false`,
    port,
    faults,
    dropSubscriptions: () => backing.subscriptions.forEach((subscription) => subscription.abort()),
    cutConnections,
    stop,
    start,
    close: async () => {
      backing.subscriptions.forEach((subscription) => subscription.abort());
      if (listener.listening) await stop();
      grpc.forceShutdown();
      await embedded.close();
    },
  };
};

/** No projection runs here, so events are never decoded. */
const rejectDecoding = (): never => {
  throw new Error('the server does not decode events');
};

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

const addServices = (grpc: Server, backing: Backing, port: number): void => {
  grpc.addService(StreamsService, {
    append: unimplemented,
    read: (call: ReadCall) => serveRead(backing, call),
    delete: unimplemented,
    tombstone: unimplemented,
    batchAppend: (call: BatchAppendCall) => serveBatchAppend(backing, call),
  });
  grpc.addService(GossipService, { read: (_: unknown, respond: Parameters<typeof serveGossip>[2]) => serveGossip(HOST, port, respond) });
  grpc.addService(ServerFeaturesService, {
    getSupportedMethods: (_: unknown, respond: Parameters<typeof serveFeatures>[0]) => serveFeatures(respond),
  });
};

const UNIMPLEMENTED = { code: status.UNIMPLEMENTED, details: 'not served here' };
const unimplemented = (_: unknown, respond: sendUnaryData<unknown>): void => respond(UNIMPLEMENTED);
