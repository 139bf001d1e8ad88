import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStore, type TestStore } from '../servers/store.js';
import { openShop, PLAIN_PET, type Shop } from './shop.js';

let store: TestStore;
let shop: Shop;
beforeAll(async () => {
  store = await startStore();
  shop = await openShop(store);
});
afterAll(() => store.stop());

/** Writes bytes to a socket of its own, and answers all that comes back until the server hangs up. */
const speak = (bytes: string | Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(store.url);
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });

const lines = (...all: readonly string[]) => `${all.join('\r\n')}\r\n\r\n`;
const host = () => `Host: ${new URL(store.url).host}`;

/** The first answer on a socket, its body read as a problem. */
const firstProblem = (text: string) => {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const problem = JSON.parse(body) as { readonly status: number; readonly type: string };
  expect(head).toMatch(/^HTTP\/1\.1 \d{3} /);
  expect(head.toLowerCase()).toContain('content-type: application/problem+json');
  expect(Number(head.split(' ')[1])).toBe(problem.status);
  return { status: problem.status, kind: problem.type.split('/errors/')[1] };
};

describe('what follows a request that is being answered', () => {
  it('is never taken for its answer when it is no HTTP', async () => {
    const text = await speak(`${lines('GET /v1/pets HTTP/1.1', host())}this is no request\r\n\r\n`).catch(() => '');
    // Answered as it should be, or not at all: but not with what was said of the other.
    expect(text).not.toMatch(/^HTTP\/1\.1 400/);
  });
});

describe('what is no HTTP', () => {
  it.each([
    ['no request line', () => 'hello\r\n\r\n'],
    ['a TLS greeting', () => new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
    ['a header without a name', () => lines('GET /v1/pets HTTP/1.1', host(), ': nothing')],
    ['a method that nobody knows', () => lines('FETCH /v1/pets HTTP/1.1', host())],
    ['another version', () => lines('GET /v1/pets HTTP/3.7', host())],
    ['a length that is none', () => lines('POST /v1/pets HTTP/1.1', host(), 'Content-Length: many')],
    ['two lengths', () => lines('POST /v1/pets HTTP/1.1', host(), 'Content-Length: 2', 'Content-Length: 3')],
    [
      'a length and chunks, as smugglers send',
      () => lines('POST /v1/pets HTTP/1.1', host(), 'Content-Length: 2', 'Transfer-Encoding: chunked'),
    ],
    [
      'chunks that are none',
      () => `${lines('POST /v1/orders HTTP/1.1', host(), 'Content-Type: application/json', 'Transfer-Encoding: chunked')}zz\r\n`,
    ],
  ])('is a problem, and the end of the connection: %s', async (_, bytes) => {
    expect(firstProblem(await speak(bytes()))).toEqual({ status: 400, kind: 'malformed-request' });
  });

  it('is too much of it where the headers are larger than 16 KiB', async () => {
    const padded = lines('GET /v1/pets HTTP/1.1', host(), `X-Padding: ${'x'.repeat(17_000)}`);
    expect(firstProblem(await speak(padded))).toEqual({ status: 431, kind: 'header-fields-too-large' });
  });

  it('does not keep the next client waiting', async () => {
    await speak('hello\r\n\r\n');
    expect((await shop.ask('GET', '/v1/pets')).status).toBe(200);
  });
});

describe('headers that come twice', () => {
  const twice = (name: string, ...values: readonly string[]) => ({ headers: { [name]: values } });

  it.each([
    ['Authorization', () => ({ headers: { authorization: [`Bearer ${shop.staff}`, 'Bearer x'] } }), [401]],
    ['X-Tenant-ID', () => twice('x-tenant-id', 'a', 'b'), [400]],
    ['Idempotency-Key', () => twice('idempotency-key', 'a', 'b'), [400]],
    ['Content-Type', () => twice('content-type', 'application/json', 'text/plain'), [201, 400, 415]],
    ['X-Request-Id', () => twice('x-request-id', 'a', 'b'), [201]],
    ['If-None-Match', () => twice('if-none-match', '"a"', '"b"'), [201]],
  ] as const)('are read or refused, never stumbled over: %s', async (_, asked, statuses) => {
    expect(statuses).toContain((await shop.askAsStaff('POST', '/v1/pets', { body: PLAIN_PET, ...asked() })).status);
  });
});

describe('a body where none is asked for', () => {
  it('is not looked at', async () => {
    const { id } = await shop.listPet();
    expect((await shop.askAsStaff('DELETE', `/v1/pets/${id}`, { raw: '{ this is no JSON' })).status).toBe(204);
    const { order } = await shop.sell();
    expect((await shop.askAsStaff('POST', `/v1/orders/${order.id}/shipment`, { body: { status: 'delivered' } })).json).toMatchObject({
      status: 'shipped',
    });
  });

  it('may be missing: POST without one moves an order on', async () => {
    const { order } = await shop.sell();
    const { status } = await shop.askAsStaff('POST', `/v1/orders/${order.id}/shipment`, { headers: { 'content-length': '0' } });
    expect(status).toBe(200);
  });
});
