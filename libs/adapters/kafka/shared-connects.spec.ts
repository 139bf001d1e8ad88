import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createRequire } from 'node:module';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { connectTo } from './connection.js';

type Connection = { connect(): Promise<boolean>; disconnect(): Promise<boolean> };

const require = createRequire(import.meta.url);
const Connection = require('kafkajs/src/network/connection.js') as new (options: object) => Connection;

const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined, namespace: () => logger };

let server: Server;
let accepted: Socket[];
beforeEach(async () => {
  accepted = [];
  server = createServer((socket) => void accepted.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

it('connections to a broker that are opened at the same time are one, which is closed', async () => {
  connectTo({ brokers: ['127.0.0.1:9092'], clientId: 'petstore' });
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  const socketFactory = ({ host, onConnect }: { readonly host: string; readonly onConnect: () => void }): Socket => {
    const socket = connect({ host, port }, onConnect);
    sockets.push(socket);
    return socket;
  };
  const connection = new Connection({ host: '127.0.0.1', port, logger, socketFactory, connectionTimeout: 3_000, requestTimeout: 3_000 });
  expect(await Promise.all([connection.connect(), connection.connect()])).toEqual([true, true]);
  expect(sockets).toHaveLength(1);
  await connection.disconnect();
  const [only] = sockets;
  await new Promise((resolve) => (only?.closed ? resolve(null) : only?.once('close', resolve)));
  expect(await connection.connect()).toBe(true);
  expect(sockets).toHaveLength(2);
  await connection.disconnect();
  for (const socket of accepted) socket.destroy();
});
