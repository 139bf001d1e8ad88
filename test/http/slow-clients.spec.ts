import { once } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { pino } from 'pino';
import { createApi } from '../../apps/api/api.js';
import { PROBLEM_EXAMPLES } from '../../apps/api/describe/pages/errors/problem-examples.js';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { StoreModule } from '../../apps/petstore/composition/store.module.js';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { eventually } from '../eventually.js';
import { createClient, type Client } from '../servers/client.js';
import { itOnOwnPetstore as it } from '../servers/test-petstore.js';

/**
 * The time limits of the service for requests. They are short, because the tests wait until they are exceeded, and long enough
 * for the fast requests of a busy machine.
 */
const LIMITS = { headersMilliseconds: 1_000, requestMilliseconds: 2_000, checkMilliseconds: 50 };

/** The logged warnings and errors. */
const logged: string[] = [];
let url: string;
let healthy: Client;
/** Returns the number of open connections of the service. */
let connections: () => Promise<number>;
let stop: () => Promise<void>;
beforeAll(async () => {
  const settings = parseSettings({ PORT: '0', LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  const logger = pino({ level: settings.logLevel }, { write: (line: string) => void logged.push(line) });
  const store = await openEmbeddedStore({ directory: ':memory:', log: logger });
  const tokens = await openTokens(store.keys, store.clock);
  const app = await createApi({ ...store, settings, module: StoreModule.on(store), tokens, health: [], logger, limits: LIMITS });
  await app.listen({ port: settings.port, host: settings.host });
  url = await app.getUrl();
  healthy = createClient(url);
  const server = app.getHttpServer() as Server;
  connections = () => promisify(server.getConnections.bind(server))();
  stop = async () => {
    healthy.close();
    await app.close();
    await store.close();
  };
});
afterAll(() => stop());

const open = async (...lines: readonly string[]): Promise<Socket> => {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write([...lines.slice(0, 1), `Host: ${host}`, ...lines.slice(1)].join('\r\n'));
  return socket;
};

/** Returns everything that the server sends until it closes the connection. */
const readUntilClosed = async (socket: Socket): Promise<string> => {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // If the test writes after the server has closed the connection, an error precedes the event `close`. It is ignored.
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
};

const status = (response: string) => response.split('\r\n')[0];

/** Sends `byte` every 20 ms until the connection is closed. */
const drip = (socket: Socket, byte: string): void => {
  const timer = setInterval(() => socket.write(byte), 20);
  socket.once('close', () => clearInterval(timer));
};

/** Proves contract 4.9 and contract 26.1: the time limits for the headers and for a whole request. */
describe('a client that is slow', () => {
  it('to send the headers gets 408, and its connection is closed', async () => {
    const response = await readUntilClosed(await open('GET /v1/pets HTTP/1.1', 'X-Slow'));
    expect(status(response)).toBe('HTTP/1.1 408 Request timeout');
    expect(response).toContain('/errors/request-timeout');
    expect(response).toContain(PROBLEM_EXAMPLES['request-timeout'].detail);
  });

  it('to send each byte of the headers gets 408', async () => {
    const socket = await open('GET /v1/pets HTTP/1.1', 'X-Slow: ');
    drip(socket, 'x');
    expect(status(await readUntilClosed(socket))).toBe('HTTP/1.1 408 Request timeout');
  });

  it('to send the body gets 408', async () => {
    const socket = await open('POST /v1/orders HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 1000', '', '{');
    drip(socket, ' ');
    expect(status(await readUntilClosed(socket))).toBe('HTTP/1.1 408 Request timeout');
  });

  it('does not delay other clients: a fast one is served during two hundred slow requests', async () => {
    const slow = await Promise.all(
      Array.from({ length: 200 }, () =>
        open('POST /v1/orders HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 1000', '', '{'),
      ),
    );
    let waiting = slow.length;
    const closed = Promise.all(slow.map((socket) => readUntilClosed(socket).finally(() => waiting--)));
    do expect((await healthy.send('GET', '/v1/pets')).status).toBe(200);
    while (waiting > 0);
    expect(new Set((await closed).map(status))).toEqual(new Set(['HTTP/1.1 408 Request timeout']));
  });
});

describe('a client that disconnects', () => {
  it('in the middle of its body leaves no connection and no error in the log', async () => {
    for (let nth = 0; nth < 50; nth++) {
      const socket = await open(
        'POST /v1/orders HTTP/1.1',
        'Content-Type: application/json',
        'Content-Length: 1000',
        'Expect: 100-continue',
        '',
        '',
      );
      // The first data is 100 Continue: the service has read the headers and waits for the body.
      await once(socket, 'data');
      socket.destroy();
    }
    await eventually('the end of all their connections', async () => (await connections()) <= 1);
    expect((await healthy.send('GET', '/v1/pets')).status).toBe(200);
    expect(logged).toEqual([]);
  });
});
