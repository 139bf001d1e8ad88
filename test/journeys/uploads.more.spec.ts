import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noisyImage } from '../http/image-files.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor, type ServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';

const MB = 1_000_000;

const dataDir = newFolder();
let service: ServiceProcess;
let token: string;
let newPet: () => Promise<string>;
/** A photo, followed by bytes that no reader of JPEG looks at. */
let photo: (bytes: number) => Buffer;

beforeAll(async () => {
  service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn' } });
  token = await tokenFor(dataDir);
  const call = caller(service.url, token);
  newPet = async () => String((await call('POST', '/v1/pets', { body: { name: 'Posey', species: 'CAT', ageMonths: 3 } })).json['id']);
  const jpeg = await noisyImage('jpeg', 64, 64);
  photo = (bytes) => Buffer.concat([jpeg, Buffer.alloc(bytes - jpeg.length, 7)]);
});
afterAll(async () => {
  await endPrograms();
  removeFolders();
});

const open = async (): Promise<Socket> => {
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  return socket;
};

/** Writes a body at a rate in bytes a second. Returns the error if it cannot be written. */
const write = async (socket: Socket, body: Buffer, rate: number): Promise<string | null> => {
  const failed = new Promise<string>((resolve) => void socket.once('error', ({ message }) => resolve(message)));
  const written = (async () => {
    const startedAt = performance.now();
    for (let at = 0; at < body.length; at += 16_384) {
      if (!socket.write(body.subarray(at, at + 16_384))) await once(socket, 'drain');
      const ahead = (at * 1_000) / rate - (performance.now() - startedAt);
      if (ahead > 1) await new Promise((resolve) => setTimeout(resolve, ahead));
    }
    return null;
  })();
  written.catch(() => undefined);
  return Promise.race([failed, written]);
};

const readStatus = async (socket: Socket): Promise<string> => {
  let text = '';
  for await (const data of socket) if (/^HTTP\/1\.1 [2-5]\d\d [^]*\r\n\r\n/m.test((text += String(data)))) break;
  return /HTTP\/1\.1 ([2-5]\d\d)/.exec(text)?.[1] ?? text;
};

const head = (path: string, ...lines: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n');
const uploadHead = async (...lines: readonly string[]): Promise<string> =>
  head(`/v1/pets/${await newPet()}/images`, `Authorization: Bearer ${token}`, 'Content-Type: multipart/form-data; boundary=x', ...lines);

const form = (file: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n'),
    file,
    Buffer.from('\r\n--x--\r\n'),
  ]);

/** Encodes a body in chunks, whose sizes repeat. */
const inChunks = (body: Buffer, sizes: readonly number[]): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0, nth = 0; at < body.length; nth++) {
    const part = body.subarray(at, at + (sizes[nth % sizes.length] ?? 1));
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
    at += part.length;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
};

/** Sends a request, and reads the response only after the whole body was sent. */
const statusOf = async (requestHead: string, body: Buffer, rate = Infinity): Promise<string> => {
  const socket = await open();
  socket.write(requestHead);
  const failure = await write(socket, body, rate);
  const status = failure ?? (await readStatus(socket));
  socket.destroy();
  return status;
};

/** Proves contract 37.1: an upload arrives, however it is divided and however slow its line is. */
describe('an upload', () => {
  it.each([
    ['16,372', [16_372]],
    ['65,524', [65_524]],
    ['65,530', [65_530]],
    ['mixed sizes', [65_530, 500, 16_372, 1, 1_023, 65_524]],
  ])('of 4 MB in chunks of %s bytes is read to its end, a hundred times', async (_, sizes) => {
    const body = inChunks(form(photo(4 * MB)), sizes);
    const upload = await uploadHead('Transfer-Encoding: chunked');
    for (let round = 0; round < 20; round++) {
      const statuses = await Promise.all(Array.from({ length: 5 }, () => statusOf(upload, body)));
      expect(statuses).toEqual(Array<string>(5).fill('201'));
    }
  });

  it('of 5 MB arrives at 95 kB a second', async () => {
    const body = form(photo(5 * MB));
    expect(await statusOf(await uploadHead(`Content-Length: ${body.length}`), body, 95_000)).toBe('201');
  });
});

/** Proves contract 2.12. */
describe('a refusal', () => {
  const RATES = [MB, 4 * MB, Infinity];
  const SIZES = [2 * MB, 6 * MB, 12 * MB, 30 * MB];
  const requests = (bytes: number): readonly (readonly [status: string, head: string])[] => [
    ['413', head('/v1/orders', 'Content-Type: application/json', `Content-Length: ${bytes}`)],
    ['415', head('/v1/orders', 'Content-Type: text/csv', `Content-Length: ${bytes}`)],
    [
      '401',
      head(
        '/v1/pets/0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60/images',
        'Content-Type: multipart/form-data; boundary=x',
        `Content-Length: ${bytes}`,
      ),
    ],
  ];

  it.each(RATES)('is read by a client that sends its whole body first, at %d bytes a second', async (rate) => {
    const senders = SIZES.flatMap((bytes) => requests(bytes).map((request) => ({ bytes, request })));
    const statuses = await Promise.all(senders.map(({ bytes, request: [, text] }) => statusOf(text, Buffer.alloc(bytes), rate)));
    expect(statuses).toEqual(senders.map(({ request: [status] }) => status));
  });

  it('comes in place of 100, and a client that waits for 100 sends nothing', async () => {
    for (const [status, text] of requests(6 * MB))
      expect(await statusOf(text.replace('\r\n', '\r\nExpect: 100-continue\r\n'), Buffer.alloc(0))).toBe(status);
  });
});
