import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CreateOrder } from '../../libs/application/orders/order.commands.js';
import { as, runningApi, TENANT, type RunningApi } from '../../apps/api/testing/running-api.fixtures.js';
import type { LIMITS } from '../../apps/api/limits.js';
import { eventually } from '../eventually.js';

const MIB = 1_048_576;
const PET_ID = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';

let api: RunningApi;
let port: number;
/** The server's sockets of all connections. */
let served: Socket[];
const start = async (limits: Partial<typeof LIMITS> = {}, env: Readonly<Record<string, string>> = {}): Promise<void> => {
  api = await runningApi({ PORT: '0', RATE_LIMIT: 'off', PUBLIC_URL: 'http://127.0.0.1:3000', ...env }, { limits });
  api.application.setHandler(CreateOrder, () => ({ rejected: 'pet_not_found' }) as never);
  served = [];
  api.app.getHttpServer().on('connection', (socket: Socket) => served.push(socket));
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(await api.app.getUrl()).port);
};
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await api.app.close();
});

const JSON_TYPE = 'Content-Type: application/json';
const FORM_TYPE = 'Content-Type: multipart/form-data; boundary=x';
const TOKEN = `Authorization: ${as('staff').authorization}`;
const IMAGES = `/v1/pets/${PET_ID}/images`;

const head = (path: string, ...lines: readonly string[]): string =>
  [`${path.includes(' ') ? path : `POST ${path}`} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n');

const open = async (...written: readonly (string | Uint8Array)[]) => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  clients.push(socket);
  const errors: string[] = [];
  socket.on('error', ({ message }) => errors.push(message));
  await once(socket, 'connect');
  for (const part of written) socket.write(part);
  let received = '';
  const read = (): void => void socket.on('data', (data: Buffer) => (received += data.toString()));
  const statuses = (): readonly string[] => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status);
  return { socket, errors, read, received: () => received, statuses };
};

/** Sends a body as a client that reads the response only after it has sent the whole body. Returns what it then reads. */
const sendAll = async (request: string, body: Uint8Array): Promise<string> => {
  const { socket, errors, read, received } = await open(request);
  for (let at = 0; at < body.length; at += 65_536)
    if (!socket.write(body.subarray(at, at + 65_536))) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  read();
  await eventually('a response', () => received().includes('\r\n\r\n') || errors.length > 0);
  expect(errors).toEqual([]);
  return received();
};

const chunked = (bytes: number): Buffer => {
  const chunk = Buffer.concat([Buffer.from('fff4\r\n'), Buffer.alloc(65_524), Buffer.from('\r\n')]);
  return Buffer.concat([...Array<Buffer>(Math.ceil(bytes / 65_524)).fill(chunk), Buffer.from('0\r\n\r\n')]);
};

/** Proves contract 2.12: the body of a refused request. */
describe('a client that sends its whole body before it reads', () => {
  it.each([
    ['413 for JSON', 413, '/v1/orders', [JSON_TYPE]],
    ['413 for an image', 413, IMAGES, [TOKEN, FORM_TYPE]],
    ['413 for an image of the classic variant', 413, '/api/v3/pet/1/uploadImage', [TOKEN, 'Content-Type: application/octet-stream']],
    ['413 for a sign-in', 413, '/v1/auth/tokens', [JSON_TYPE]],
    ['413 at the authorization server', 413, '/oauth/token', ['Content-Type: application/x-www-form-urlencoded']],
    ['415 for an unknown type', 415, '/v1/orders', ['Content-Type: text/csv']],
    ['415 for the type of another operation', 415, IMAGES, [TOKEN, JSON_TYPE]],
    ['401 without a token', 401, IMAGES, [FORM_TYPE]],
    ['403 without the scope', 403, IMAGES, [`Authorization: ${as('ann').authorization}`, FORM_TYPE]],
    ['404 for an unknown address', 404, '/v1/nothing', [JSON_TYPE]],
    ['405 for an unknown method', 405, 'PUT /v1/pets', [JSON_TYPE]],
    ['406 for XML of the classic variant', 406, '/api/v3/pet', ['Accept: application/xml', JSON_TYPE]],
  ])('reads %s', async (_, status, path, lines) => {
    await start();
    const body = Buffer.alloc(6 * MIB);
    expect(await sendAll(head(path, ...lines, `Content-Length: ${body.length}`), body)).toMatch(
      new RegExp(`^HTTP/1.1 ${status} [^]*connection: close`, 'i'),
    );
    expect(await sendAll(head(path, ...lines, 'Transfer-Encoding: chunked'), chunked(body.length))).toMatch(
      new RegExp(`^HTTP/1.1 ${status} [^]*connection: close`, 'i'),
    );
  });

  it('reads 429', async () => {
    await start({}, { RATE_LIMIT: '1/60s' });
    const request = head('/v1/orders', JSON_TYPE, `Content-Length: ${6 * MIB}`);
    expect(await sendAll(request, Buffer.alloc(6 * MIB))).toMatch(/^HTTP\/1.1 413/);
    expect(await sendAll(request, Buffer.alloc(6 * MIB))).toMatch(/^HTTP\/1.1 429/);
  });
});

describe('a request with Expect: 100-continue', () => {
  it.each([
    ['413', '/v1/orders', [JSON_TYPE, `Content-Length: ${2 * MIB}`]],
    ['415', '/v1/orders', ['Content-Type: text/csv', 'Content-Length: 10']],
    ['401', IMAGES, [FORM_TYPE, 'Content-Length: 10']],
    ['403', IMAGES, [FORM_TYPE, 'Content-Length: 10', `Authorization: ${as('ann').authorization}`]],
    ['404', '/v1/nothing', [JSON_TYPE, 'Content-Length: 10']],
    ['413', '/oauth/token', [`Content-Length: ${2 * MIB}`]],
  ])('is refused with %s in place of 100, and the connection closes', async (status, path, lines) => {
    await start();
    const { socket, read, received, statuses } = await open(head(path, 'Expect: 100-continue', ...lines));
    read();
    await once(socket, 'end');
    expect([statuses(), /connection: close/i.test(received())]).toEqual([[status], true]);
  });

  it('gets 100 when its body is read, and then its response', async () => {
    await start();
    const body = JSON.stringify({ petId: PET_ID });
    const { socket, read, statuses } = await open(head('/v1/orders', 'Expect: 100-continue', JSON_TYPE, `Content-Length: ${body.length}`));
    read();
    await eventually('100', () => statuses().length === 1);
    expect(statuses()).toEqual(['100']);
    socket.write(body + body.length);
    await eventually('the response', () => statuses().length === 2);
    expect(statuses()).toEqual(['100', '404']);
  });

  it('is refused after 100 if its body turns out to be too large', async () => {
    await start();
    const { read, statuses } = await open(
      head('/v1/orders', 'Expect: 100-continue', JSON_TYPE, 'Transfer-Encoding: chunked'),
      chunked(2 * MIB),
    );
    read();
    await eventually('both', () => statuses().length === 2);
    expect(statuses()).toEqual(['100', '413']);
  });
});

describe('a request with Expect: 100-continue and no body', () => {
  it('keeps the connection', async () => {
    await start();
    const { read, statuses } = await open(head('GET /v1/nothing', 'Expect: 100-continue') + head('GET /v1/nothing'));
    read();
    await eventually('both responses', () => statuses().filter((status) => status === '404').length === 2);
  });
});

describe('a response to a request whose body is ignored', () => {
  it('is followed by at most as many bytes as after a refusal', async () => {
    await start({ droppedBytes: MIB });
    const { read, statuses } = await open(head('GET /health/live', `Content-Length: ${20 * MIB}`), Buffer.alloc(4 * MIB));
    read();
    await eventually('its end', () => served[0]?.destroyed === true);
    expect(statuses()).toEqual(['200']);
  });
});

describe('the connection of a refused request', () => {
  const refused = head('/v1/orders', 'Content-Type: text/csv', `Content-Length: ${20 * MIB}`);
  const ORDER = head('/v1/orders', JSON_TYPE, 'Content-Length: 48') + JSON.stringify({ petId: PET_ID });

  it('is kept after a short body', async () => {
    await start();
    const { socket, read, statuses } = await open(head('/v1/orders', 'Content-Type: text/csv', 'Content-Length: 65536'));
    read();
    await eventually('the refusal', () => statuses().length === 1);
    socket.write(Buffer.alloc(65_536));
    socket.write(head('/v1/nothing'));
    await eventually('the next response', () => statuses().length === 2);
    expect(statuses()).toEqual(['415', '404']);
  });

  it('is kept after chunks that came with the headers', async () => {
    await start();
    const chunks = '3\r\nabc\r\n0\r\n\r\n';
    const { read, statuses } = await open(head('/v1/nothing', 'Transfer-Encoding: chunked') + chunks + head('/v1/nothing'));
    read();
    await eventually('both responses', () => statuses().length === 2);
    expect(statuses()).toEqual(['404', '404']);
  });

  it.each([
    ['a Content-Length', 'Content-Length: 100000', Buffer.alloc(100_000)],
    ['chunks', 'Transfer-Encoding: chunked', chunked(100_000)],
  ])('gets no second response, and no next request is read, after a body with %s', async (_, framing, body) => {
    await start();
    for (const next of [ORDER, head('CONNECT localhost:1')]) {
      const before = api.application.requests.length;
      const together = await open(
        Buffer.concat([Buffer.from(head('/v1/orders', 'Content-Type: text/csv', framing)), body, Buffer.from(next)]),
      );
      together.read();
      await eventually('its end', () => served.at(-1)?.destroyed === true);
      const { socket, read, statuses } = await open(head('/v1/orders', 'Content-Type: text/csv', framing));
      read();
      await eventually('the refusal', () => statuses().length === 1);
      socket.write(Buffer.concat([body, Buffer.from(next)]));
      await eventually('its end', () => served.at(-1)?.destroyed === true);
      expect([together.statuses(), statuses(), api.application.requests.length - before]).toEqual([['415'], ['415'], 0]);
    }
  });

  it('gets no further response after two short bodies, and does not delay a stop', async () => {
    await start();
    const short = head('/v1/orders', 'Content-Type: text/csv', 'Content-Length: 10');
    const { socket, read, statuses } = await open(short);
    read();
    await eventually('the first refusal', () => statuses().length === 1);
    socket.write(`0123456789${short}`);
    await eventually('the second refusal', () => statuses().length === 2);
    await api.app.close();
    expect([served[0]?.destroyed, statuses()]).toEqual([true, ['415', '415']]);
  });

  it.each([
    ['after the most bytes', { droppedBytes: MIB }, 4 * MIB],
    ['after a gap', { droppedGapMilliseconds: 50 }, 1],
    ['after the longest time', { droppedMilliseconds: 50 }, 1],
  ])('is closed %s, without a second response', async (_, limits, bytes) => {
    await start(limits);
    const { read, statuses } = await open(refused, Buffer.alloc(bytes));
    read();
    await eventually('its end', () => served[0]?.destroyed === true);
    expect(statuses()).toEqual(['415']);
  });

  it('is closed without a second response if a short body does not come', async () => {
    await start({ droppedMilliseconds: 50 });
    const { read, statuses } = await open(head('/v1/orders', 'Content-Type: text/csv', 'Content-Length: 10'));
    read();
    await eventually('its end', () => served[0]?.destroyed === true);
    expect(statuses()).toEqual(['415']);
  });

  it('is closed without a second response if a chunk is malformed', async () => {
    await start();
    const { socket, read, statuses } = await open(head('/v1/orders', 'Content-Type: text/csv', 'Transfer-Encoding: chunked'));
    read();
    await eventually('the refusal', () => statuses().length === 1);
    socket.write('zz\r\n');
    await eventually('its end', () => served[0]?.destroyed === true);
    expect(statuses()).toEqual(['415']);
  });

  it.each([
    ['an address', { droppedConnectionsOfAddress: 2 }, {}],
    ['the process', { droppedConnections: 2 }, { TRUSTED_PROXIES: '127.0.0.0/8' }],
  ])('is closed at once beyond the number for %s', async (_, limits, env) => {
    await start(limits, env);
    const all = [await open(refused), await open(refused), await open(refused)];
    for (const { read } of all) read();
    await eventually('all refusals', () => all.every(({ statuses }) => statuses().length === 1));
    await eventually('the end of the third', () => served[2]?.destroyed === true);
    expect(served.map(({ destroyed }) => destroyed)).toEqual([false, false, true]);
    // The place of a connection that has ended is free.
    all[0]?.socket.destroy();
    await eventually('the end of the first', () => served[0]?.destroyed === true);
    const next = await open(refused);
    next.read();
    await eventually('its refusal', () => next.statuses().length === 1);
    expect(served[3]?.destroyed).toBe(false);
  });

  it('does not count for the address of a trusted proxy', async () => {
    await start({ droppedConnectionsOfAddress: 1 }, { TRUSTED_PROXIES: '127.0.0.0/8' });
    const all = [await open(refused), await open(refused)];
    for (const { read } of all) read();
    await eventually('all refusals', () => all.every(({ statuses }) => statuses().length === 1));
    expect(served.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  });

  it('does not delay a stop', async () => {
    await start();
    const { read, statuses } = await open(refused);
    read();
    await eventually('the refusal', () => statuses().length === 1);
    await api.app.close();
    expect(served[0]?.destroyed).toBe(true);
  });
});

/** Proves contract 26.1: the time for a body. */
describe('a slow upload', () => {
  const limits = {
    requestMilliseconds: 300,
    uploadGraceMilliseconds: 300,
    uploadMilliseconds: 60_000,
    uploadBytesPerSecond: 16_384,
    checkMilliseconds: 20,
  };
  const upload = head(IMAGES, TOKEN, `X-Tenant-ID: ${TENANT}`, FORM_TYPE, 'Content-Length: 1000000');
  const drip = (socket: Socket, bytes: number): void => {
    const timer = setInterval(() => socket.write(Buffer.alloc(bytes)), 20);
    socket.once('close', () => clearInterval(timer));
  };

  it('gets 408 after a while, if it brings less than the least rate', async () => {
    await start(limits);
    const { socket, read, statuses } = await open(upload);
    read();
    drip(socket, 10);
    await eventually('the end', () => served[0]?.destroyed === true);
    expect(statuses()).toEqual(['408']);
  });

  it('is read to its end, if it brings more, although JSON would have had less time', async () => {
    await start(limits);
    const { socket, read, statuses } = await open(upload);
    read();
    drip(socket, 10_000);
    await eventually('the response', () => statuses().length === 1);
    // The body is no form. That can be known only after it has been read.
    expect(statuses()).toEqual(['400']);
  });

  it('gets 408 after the longest time, whatever its rate', async () => {
    await start({ ...limits, uploadMilliseconds: 500 });
    const { socket, read, statuses } = await open(upload);
    read();
    drip(socket, 5_000);
    await eventually('the end', () => served[0]?.destroyed === true);
    expect(statuses()).toEqual(['408']);
  });
});
