import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ListPets } from '../../libs/application/pets/pet.queries.js';
import { eventually } from '../eventually.js';
import { runningApi, type RunningApi } from '../../apps/api/testing/running-api.fixtures.js';

const MIB = 1_048_576;
/** A page of 6 MiB: more than the operating system buffers for a client that does not read. */
const PAGE = { items: Array<string>(100).fill(JSON.stringify({ description: 'x'.repeat(63_000) })), totalItems: 100 };
const CLIENTS = 150;
const LIMIT = 64 * MIB;
const request = `GET /v1/pets?limit=100 HTTP/1.1\r\nHost: localhost\r\n\r\n`;

let api: RunningApi;
let port: number;
let clients: Socket[];
/** The server side of all connections. */
let served: Set<Socket>;
beforeEach(async () => {
  api = await runningApi({ PORT: '0', RATE_LIMIT: 'off' }, { limits: { unreadBytes: LIMIT } });
  api.application.setHandler(ListPets, () => PAGE);
  clients = [];
  served = new Set();
  api.app.getHttpServer().on('connection', (socket: Socket) => {
    served.add(socket);
    socket.once('close', () => served.delete(socket));
  });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(await api.app.getUrl()).port);
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await api.app.close();
});

/** Opens a connection, sends `bytes`, and reads no response. */
const connectWithoutReading = async (bytes: string): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1').pause();
  clients.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
};

const unread = (): number => [...served].reduce((sum, socket) => sum + socket.writableLength, 0);
const isLogged = (): boolean => api.logged.some((line) => line.includes('closed connections of clients that did not read their responses'));

/** Proves contract 26.2: unread responses of a process. */
it(`${CLIENTS} clients with ten unread responses each leave no more unread bytes than the limit`, async () => {
  await Promise.all(Array.from({ length: CLIENTS }, () => connectWithoutReading(request.repeat(10))));
  await eventually('a response to each', () => api.application.requests.length >= CLIENTS || null);
  await eventually('the unread responses to be within the limit', () => (isLogged() && unread() <= LIMIT) || null);
  // A connection has one response at a time. The service closes the connections with the most unread bytes.
  expect(api.application.requests.length).toBeLessThan(2 * CLIENTS);
  expect([served.size > 0, served.size < CLIENTS]).toEqual([true, true]);
});

/** Proves contract 2.11 and contract 26.2. */
describe('a client that pipelines requests', () => {
  it('gets one response at a time', async () => {
    await connectWithoutReading(request.repeat(100));
    await eventually('a response', () => unread() > 0 || null);
    expect(api.application.requests).toHaveLength(1);
  });

  it('does not delay other clients, and their responses are complete', async () => {
    await connectWithoutReading(request.repeat(100));
    const response = await fetch(`http://127.0.0.1:${port}/v1/pets?limit=100`);
    expect([response.status, (await response.text()).length > 6 * MIB]).toEqual([200, true]);
  });

  it('gets all responses once it reads', async () => {
    api.application.setHandler(ListPets, () => ({ items: [], totalItems: 0 }));
    const socket = await connectWithoutReading(request.repeat(200));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.resume();
    await eventually('200 responses', () => text.split('HTTP/1.1 200').length === 201 || null);
  });

  it('is disconnected if too many requests wait', async () => {
    const socket = await connectWithoutReading(request.repeat(1_000));
    socket.resume();
    await once(socket, 'close');
    expect(api.application.requests.length).toBeLessThan(3);
  });
});
