import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CreateOrder } from '../../libs/application/orders/order.commands.js';
import { ListPets } from '../../libs/application/pets/pet.queries.js';
import { eventually } from '../eventually.js';
import { runningApi, type RunningApi } from '../../apps/api/testing/running-api.fixtures.js';
import { exchangeRaw } from './raw-http.js';

const MIB = 1_048_576;

const LIMITS = { bodiesBytes: 4 * MIB, waitingBytes: 8 * MIB };
const POST = 'POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const LIST = 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n';
const inChunks = `${POST}Transfer-Encoding: chunked\r\n\r\n`;
const ORDER = JSON.stringify({ petId: '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60' });
const TEN_THOUSAND_CHUNKS = '1\r\n \r\n'.repeat(10_000);

let api: RunningApi;
let url: string;
let clients: Socket[];
/** The server's sockets of all connections. */
let served: Socket[];
beforeEach(async () => {
  api = await runningApi({ PORT: '0', RATE_LIMIT: 'off', PUBLIC_URL: 'http://127.0.0.1:3000' }, { limits: LIMITS });
  api.application.setHandler(CreateOrder, () => ({ rejected: 'pet_not_found' }) as never);
  served = [];
  api.app.getHttpServer().on('connection', (socket: Socket) => served.push(socket));
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  url = await api.app.getUrl();
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await api.app.close();
});

/**
 * Connects and writes. `sent` resolves when everything is written or the server has closed the connection.
 */
const client = async (...written: readonly string[]) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  clients.push(socket);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const sent = (async () => {
    for (const part of written) if (!socket.write(part)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  })();
  return { socket, sent, received: () => received };
};

const statusOfOrder = async (): Promise<number | undefined> =>
  (await exchangeRaw(url, `${POST}Content-Length: ${ORDER.length}\r\n\r\n${ORDER}`)).responses[0]?.status;

/** Delays the responses to lists until the returned function is called. */
const holdLists = (): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  api.application.setHandler(ListPets, () => promise as never);
  return () => resolve({ items: [], totalItems: 0 });
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the memory in use after a garbage collection, in MiB. */
const usedMebibytes = (): number => {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / MIB;
};

/** Returns how much the memory in use grows by some work, in MiB. */
const memoryGrowthOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = usedMebibytes();
  await work();
  return usedMebibytes() - before;
};

const waitUntilAllRead = (bytes: number): Promise<unknown> =>
  eventually('all bytes to be read', () => served.reduce((sum, { bytesRead }) => sum + bytesRead, 0) >= bytes || null);

/** Proves contract 26.1: the memory of bodies. */
describe('a body in chunks of one byte', () => {
  it('takes memory in proportion to its size: two bodies of 300,000 bytes take less than 5 MiB', async () => {
    const written = [inChunks, ...Array<string>(30).fill(TEN_THOUSAND_CHUNKS)];
    const grown = await memoryGrowthOf(async () => {
      await Promise.all([client(...written), client(...written)]);
      await waitUntilAllRead(2 * written.join('').length);
    });
    expect(grown).toBeLessThan(5);
    expect(await statusOfOrder()).toBe(404);
  });

  it('is read like any other body', async () => {
    const chunks = [...ORDER];
    const bytes = `${inChunks}${chunks.map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`;
    expect((await exchangeRaw(url, bytes)).responses.map(({ status }) => status)).toEqual([404]);
  });

  it('takes no more memory while it waits for an earlier request, and is then read completely', async () => {
    const answerLists = holdLists();
    const chunks = [...(' '.repeat(60_000) + ORDER)].map((byte) => `1\r\n${byte}\r\n`).join('');
    const written = [LIST, inChunks, chunks, '0\r\n\r\n'];
    let waiting: readonly Awaited<ReturnType<typeof client>>[] = [];
    const grown = await memoryGrowthOf(async () => {
      waiting = await Promise.all(Array.from({ length: 5 }, () => client(...written)));
      await waitUntilAllRead(5 * written.join('').length);
    });
    expect(grown).toBeLessThan(10);
    expect(await statusOfOrder()).toBe(404);
    answerLists();
    for (const { received } of waiting) await eventually('its response', () => received().includes('HTTP/1.1 404') || null);
  });
});

/** Proves contract 26.1: the incomplete bodies of a process. */
describe('incomplete bodies', () => {
  it('are rejected with 503 beyond their common limit, and other requests are served', async () => {
    const incomplete = await Promise.all(
      Array.from({ length: 10 }, () => client(`${POST}Content-Length: 1000000\r\n\r\n`, ' '.repeat(900_000))),
    );
    await eventually('a rejection', () => incomplete.some(({ received }) => received().startsWith('HTTP/1.1 503')) || null);
    expect(await statusOfOrder()).toBe(404);
    const rejected = incomplete.filter(({ received }) => received() !== '').length;
    expect(incomplete.length - rejected).toBeLessThanOrEqual(LIMITS.bodiesBytes / 900_000);
    expect(incomplete.length - rejected).toBeGreaterThan(0);
  });

  it('do not count toward the limit after their clients disconnect', async () => {
    for (let round = 0; round < 5; round++) {
      const incomplete = await Promise.all(
        Array.from({ length: 4 }, () => client(`${POST}Content-Length: 1000000\r\n\r\n`, ' '.repeat(900_000))),
      );
      await Promise.all(incomplete.map(({ sent }) => sent));
      expect(incomplete.map(({ received }) => received())).toEqual(['', '', '', '']);
      for (const { socket } of incomplete) socket.destroy();
      expect(await statusOfOrder()).toBe(404);
    }
  });
});

/** Proves contract 26.2: waiting requests. */
describe('requests that wait for an earlier one on their connection', () => {
  const LARGE = `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n${'a:\r\n'.repeat(3_900)}\r\n`;

  it('have their connection closed beyond their common limit, and other requests are served', async () => {
    holdLists();
    const grown = await memoryGrowthOf(async () => {
      const all = await Promise.all(Array.from({ length: 5 }, () => client(LARGE.repeat(240))));
      await eventually('a closed connection', () => all.some(({ socket }) => socket.closed) || null);
    });
    expect(grown).toBeLessThan(40);
    expect(await statusOfOrder()).toBe(404);
  });

  it('do not count toward the limit after their connection is closed', async () => {
    for (let round = 0; round < 5; round++) {
      const answerLists = holdLists();
      const before = api.application.requests.length;
      const { socket, sent } = await client(LARGE.repeat(15));
      await sent;
      await eventually('the first request', () => api.application.requests.length > before || null);
      expect(await statusOfOrder()).toBe(404);
      expect(socket.closed).toBe(false);
      socket.destroy();
      await once(socket, 'close');
      // A list that nobody answers would keep its turn: two lists run at a time.
      answerLists();
    }
  });
});
