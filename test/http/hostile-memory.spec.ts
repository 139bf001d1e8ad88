import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CreateOrder } from '../../libs/application/orders/create-order.handler.js';
import { ListPets } from '../../libs/application/pets/pet.queries.js';
import { eventually } from '../eventually.js';
import { runningApi, type RunningApi } from '../../apps/api/testing/running-api.fixtures.js';
import { speak } from './raw-http.js';

const MIB = 1_048_576;
/** A million small chunks take their time on a busy machine. */
const PATIENCE = 60_000;
jest.setTimeout(PATIENCE);

const LIMITS = { bodiesBytes: 4 * MIB, waitingBytes: 8 * MIB };
const POST = 'POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const LIST = 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n';
const inChunks = `${POST}Transfer-Encoding: chunked\r\n\r\n`;
const ORDER = JSON.stringify({ petId: '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60' });
const TEN_THOUSAND_CHUNKS = '1\r\n \r\n'.repeat(10_000);

let api: RunningApi;
let url: string;
let clients: Socket[];
/** The server's ends of all connections. */
let served: Socket[];
beforeEach(async () => {
  api = await runningApi({ PORT: '0', RATE_LIMIT: 'off', PUBLIC_URL: 'http://127.0.0.1:3000' }, { limits: LIMITS });
  api.application.answers(CreateOrder, () => ({ rejected: 'pet_not_found' }) as never);
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

/** Connects and writes; `taken` resolves when all of it has gone out or the server has hung up. */
const client = async (...written: readonly string[]) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  clients.push(socket);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const taken = (async () => {
    for (const part of written) if (!socket.write(part)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  })();
  return { socket, taken, answer: () => answer };
};

const order = async (): Promise<number | undefined> =>
  (await speak(url, `${POST}Content-Length: ${ORDER.length}\r\n\r\n${ORDER}`)).answers[0]?.status;

/** Lists are answered when the function that comes back is called. */
const holdLists = (): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  api.application.answers(ListPets, () => promise as never);
  return () => resolve({ items: [], totalItems: 0 });
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** MiB that are in use and not garbage. */
const kept = (): number => {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / MIB;
};

/** How many MiB more are kept once something is done. */
const growth = async (work: () => Promise<unknown>): Promise<number> => {
  const before = kept();
  await work();
  return kept() - before;
};

const allRead = (bytes: number): Promise<unknown> =>
  eventually('all that was sent', () => served.reduce((sum, { bytesRead }) => sum + bytesRead, 0) >= bytes || null, PATIENCE);

describe('a body in chunks of one byte', () => {
  it('costs what it holds: two of 300,000 bytes cost less than 5 MiB', async () => {
    const written = [inChunks, ...Array<string>(30).fill(TEN_THOUSAND_CHUNKS)];
    const grown = await growth(async () => {
      await Promise.all([client(...written), client(...written)]);
      await allRead(2 * written.join('').length);
    });
    expect(grown).toBeLessThan(5);
    expect(await order()).toBe(404);
  });

  it('is read as any other', async () => {
    const chunks = [...ORDER];
    const bytes = `${inChunks}${chunks.map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`;
    expect((await speak(url, bytes)).answers.map(({ status }) => status)).toEqual([404]);
  });

  it('costs no more while it waits for its turn, and is read whole then', async () => {
    const answerLists = holdLists();
    const chunks = [...(' '.repeat(60_000) + ORDER)].map((byte) => `1\r\n${byte}\r\n`).join('');
    const written = [LIST, inChunks, chunks, '0\r\n\r\n'];
    let waiting: readonly Awaited<ReturnType<typeof client>>[] = [];
    const grown = await growth(async () => {
      waiting = await Promise.all(Array.from({ length: 5 }, () => client(...written)));
      await allRead(5 * written.join('').length);
    });
    expect(grown).toBeLessThan(10);
    expect(await order()).toBe(404);
    answerLists();
    for (const { answer } of waiting) await eventually('its answer', () => answer().includes('HTTP/1.1 404') || null, PATIENCE);
  });
});

describe('bodies that do not come to their end', () => {
  it('are refused while they keep too much together, and others are served', async () => {
    const held = await Promise.all(Array.from({ length: 10 }, () => client(`${POST}Content-Length: 1000000\r\n\r\n`, ' '.repeat(900_000))));
    await eventually('a refusal', () => held.some(({ answer }) => answer().startsWith('HTTP/1.1 503')) || null);
    expect(await order()).toBe(404);
    const refused = held.filter(({ answer }) => answer() !== '').length;
    expect(held.length - refused).toBeLessThanOrEqual(LIMITS.bodiesBytes / 900_000);
    expect(held.length - refused).toBeGreaterThan(0);
  });

  it('leave nothing behind when their clients go', async () => {
    for (let round = 0; round < 5; round++) {
      const held = await Promise.all(
        Array.from({ length: 4 }, () => client(`${POST}Content-Length: 1000000\r\n\r\n`, ' '.repeat(900_000))),
      );
      await Promise.all(held.map(({ taken }) => taken));
      expect(held.map(({ answer }) => answer())).toEqual(['', '', '', '']);
      for (const { socket } of held) socket.destroy();
      expect(await order()).toBe(404);
    }
  });
});

describe('requests that wait for the one before them', () => {
  const LARGE = `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n${'a:\r\n'.repeat(3_900)}\r\n`;

  it('are hung up on when all that wait take too much memory, and others are served', async () => {
    holdLists();
    const grown = await growth(async () => {
      const all = await Promise.all(Array.from({ length: 5 }, () => client(LARGE.repeat(240))));
      await eventually('a connection that is closed', () => all.some(({ socket }) => socket.closed) || null, PATIENCE);
    });
    expect(grown).toBeLessThan(40);
    expect(await order()).toBe(404);
  });

  it('count no more once their connection is gone', async () => {
    holdLists();
    for (let round = 0; round < 5; round++) {
      const asked = api.application.asked.length;
      const { socket, taken } = await client(LARGE.repeat(15));
      await taken;
      await eventually('the first of them', () => api.application.asked.length > asked || null);
      expect(await order()).toBe(404);
      expect(socket.closed).toBe(false);
      socket.destroy();
      await once(socket, 'close');
    }
  });
});
