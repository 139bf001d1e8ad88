import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { openShop, PLAIN_PET, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop());

/** Writes bytes to a new connection, and returns everything that the server sends until it closes the connection. */
const exchange = (bytes: string | Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });

/** A request line and headers, with the empty line after them. */
const requestHead = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const host = () => `Host: ${new URL(service.url).host}`;

/** Parses the first response as a problem. */
const firstProblem = (text: string) => {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const problem = JSON.parse(body) as { readonly status: number; readonly type: string };
  expect(head).toMatch(/^HTTP\/1\.1 \d{3} /);
  expect(head.toLowerCase()).toContain('content-type: application/problem+json');
  expect(Number(head.split(' ')[1])).toBe(problem.status);
  return { status: problem.status, kind: problem.type.split('/errors/')[1] };
};

/** Proves contract 2.11. */
describe('invalid bytes after a request', () => {
  it('do not change the response to that request', async () => {
    const text = await exchange(`${requestHead('GET /v1/pets HTTP/1.1', host())}this is no request\r\n\r\n`).catch(() => '');
    // The request gets its own response or none, but never the 400 for the bytes after it.
    expect(text).not.toMatch(/^HTTP\/1\.1 400/);
  });
});

/** Proves contract 2.11 and contract 26.1. */
describe('malformed HTTP', () => {
  it.each([
    ['no request line', () => 'hello\r\n\r\n'],
    ['a TLS handshake', () => new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
    ['a header without a name', () => requestHead('GET /v1/pets HTTP/1.1', host(), ': nothing')],
    ['an unknown method', () => requestHead('FETCH /v1/pets HTTP/1.1', host())],
    ['another version', () => requestHead('GET /v1/pets HTTP/3.7', host())],
    ['a malformed length', () => requestHead('POST /v1/pets HTTP/1.1', host(), 'Content-Length: many')],
    ['two lengths', () => requestHead('POST /v1/pets HTTP/1.1', host(), 'Content-Length: 2', 'Content-Length: 3')],
    [
      'a length and chunks, as in request smuggling',
      () => requestHead('POST /v1/pets HTTP/1.1', host(), 'Content-Length: 2', 'Transfer-Encoding: chunked'),
    ],
    [
      'malformed chunks',
      () => `${requestHead('POST /v1/orders HTTP/1.1', host(), 'Content-Type: application/json', 'Transfer-Encoding: chunked')}zz\r\n`,
    ],
  ])('returns a problem and closes the connection: %s', async (_, bytes) => {
    expect(firstProblem(await exchange(bytes()))).toEqual({ status: 400, kind: 'malformed-request' });
  });

  it('gets 431 for headers of more than 16 KiB', async () => {
    const padded = requestHead('GET /v1/pets HTTP/1.1', host(), `X-Padding: ${'x'.repeat(17_000)}`);
    expect(firstProblem(await exchange(padded))).toEqual({ status: 431, kind: 'header-fields-too-large' });
  });

  it('does not delay the next client', async () => {
    await exchange('hello\r\n\r\n');
    expect((await shop.request('GET', '/v1/pets')).status).toBe(200);
  });
});

describe('repeated headers', () => {
  const twice = (name: string, ...values: readonly string[]) => ({ headers: { [name]: values } });

  it.each([
    ['Authorization', () => ({ headers: { authorization: [`Bearer ${shop.staff}`, 'Bearer x'] } }), [401]],
    ['X-Tenant-ID', () => twice('x-tenant-id', 'a', 'b'), [400]],
    ['Idempotency-Key', () => twice('idempotency-key', 'a', 'b'), [400]],
    ['Content-Type', () => twice('content-type', 'application/json', 'text/plain'), [201, 400, 415]],
    ['X-Request-Id', () => twice('x-request-id', 'a', 'b'), [201]],
    ['If-None-Match', () => twice('if-none-match', '"a"', '"b"'), [201]],
  ] as const)('have a documented status: %s', async (_, headersOf, statuses) => {
    expect(statuses).toContain((await shop.requestAsStaff('POST', '/v1/pets', { body: PLAIN_PET, ...headersOf() })).status);
  });
});

/** Proves contract 2.2. */
describe('the body of a request to an operation that needs no body', () => {
  it('is ignored', async () => {
    const { id } = await shop.listPet();
    expect((await shop.requestAsStaff('DELETE', `/v1/pets/${id}`, { raw: '{ this is no JSON' })).status).toBe(204);
    const { order } = await shop.sell();
    expect((await shop.requestAsStaff('POST', `/v1/orders/${order.id}/shipment`, { body: { status: 'delivered' } })).json).toMatchObject({
      status: 'shipped',
    });
  });

  it('may be missing', async () => {
    const { order } = await shop.sell();
    const { status } = await shop.requestAsStaff('POST', `/v1/orders/${order.id}/shipment`, { headers: { 'content-length': '0' } });
    expect(status).toBe(200);
  });
});
