import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { openShop, type Order, type Shop } from './shop.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

let service: TestPetstore;
let shop: Shop;
let receiver: Receiver;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
  receiver = await openReceiver();
});
beforeEach(() => receiver.respondWith(() => ({ status: 204 })));
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const placeOrder = async (): Promise<Order> => shop.placeOrder((await shop.listPet()).id);
const callbackBody = (more: object = {}) => ({
  amount: '250.00',
  currency: 'USD',
  timestamp: '2026-01-02T03:04:05Z',
  callbackUrl: `${receiver.url}/callbacks`,
  ...more,
});
const request = ({ id }: { readonly id: string }, body: object = callbackBody(), options: object = {}) =>
  shop.request('POST', `/v1/orders/${id}`, { body, ...options });
const idIn = ({ headers }: Awaited<ReturnType<typeof request>>) => String(headers['x-callback-request-id']);
const callbacksWith = (requestId: string) => receiver.received.filter(({ body }) => body.includes(requestId));

/**
 * Proves contract 4.3, contract 17.1, contract 17.2, contract 17.3, contract 17.4, contract 17.5 and
 * contract 21.2.
 * Proves rows of contract 42.13 and 42.17.
 */
describe('the request for a callback', () => {
  it('returns 201 with an empty object and the requestId of the callback', async () => {
    const order = await placeOrder();
    const response = await request(order);
    expect([response.status, response.text, idIn(response)]).toEqual([201, '{}', expect.stringMatching(UUID)]);
    const [callback] = await eventually('the callback', () => {
      const found = callbacksWith(idIn(response));
      return found.length > 0 ? found : null;
    });
    expect([callback?.path, JSON.parse(callback?.body ?? '')]).toEqual([
      '/callbacks',
      expect.objectContaining({ requestId: idIn(response), orderId: order.id, status: 'COMPLETED' }),
    ]);
  });

  it('requires four valid fields, otherwise it returns 400', async () => {
    const order = await placeOrder();
    expectProblem(await request(order, {}), 400, 'invalid-request', {
      amount: 'required',
      currency: 'required',
      timestamp: 'required',
      callbackUrl: 'required',
    });
    expectProblem(
      await request(order, { amount: '250', currency: 'DOLLARS', timestamp: 'noon', callbackUrl: 'shop', more: 1 }),
      400,
      'invalid-request',
      {
        amount: 'INVALID_FORMAT',
        currency: 'INVALID_FORMAT',
        timestamp: 'INVALID_FORMAT',
        callbackUrl: 'INVALID_FORMAT',
        more: 'unknown_property',
      },
    );
  });

  it.each(['http://10.0.0.1/', 'http://169.254.169.254/', 'http://[fe80::1]/', 'http://2130706433.example.internal/'])(
    'is 400 with the forbidden address %s',
    async (callbackUrl) =>
      expectProblem(await request(await placeOrder(), callbackBody({ callbackUrl })), 400, 'invalid-request', {
        callbackUrl: 'forbidden_address',
      }),
  );

  it('returns 404 for an unknown or deleted order, or one of another tenant', async () => {
    const order = await placeOrder();
    expectProblem(await request({ id: randomUUID() }), 404, 'not-found');
    expectProblem(await request(order, callbackBody(), { tenant: randomUUID() }), 404, 'not-found');
    await shop.request('DELETE', `/v1/orders/${order.id}`);
    expectProblem(await request(order), 404, 'not-found');
    expectProblem(await request({ id: 'mine' }), 400, 'invalid-request', { id: 'INVALID_FORMAT' });
  });

  it('creates one callback for one Idempotency-Key', async () => {
    const order = await placeOrder();
    const key = { idempotencyKey: randomUUID() };
    const first = await request(order, callbackBody(), key);
    const again = await request(order, callbackBody(), key);
    expect([again.status, again.text, idIn(again), again.headers['idempotent-replayed']]).toEqual([201, '{}', idIn(first), 'true']);
    expect(idIn(await request(order))).not.toBe(idIn(first));
    expectProblem(await request(order, callbackBody({ amount: '1.00' }), key), 422, 'idempotency-key-reused', {
      'Idempotency-Key': 'mismatch',
    });
  });

  it('returns 409 while five callbacks of the order are open, and 201 after one is delivered', async () => {
    receiver.respondWith(() => ({ status: 503 }));
    const order = await placeOrder();
    const key = { idempotencyKey: randomUUID() };
    const first = await request(order, callbackBody(), key);
    for (let count = 2; count <= 5; count++) expect((await request(order)).status).toBe(201);
    expectProblem(await request(order), 409, 'conflict');
    expect(idIn(await request(order, callbackBody(), key))).toBe(idIn(first));
    expect((await request(await placeOrder())).status).toBe(201);
    receiver.respondWith(() => ({ status: 204 }));
    await eventually('another callback to be accepted', async () => (await request(order)).status === 201);
  });

  it('changes the order’s entity tag, and If-Match accepts the new one', async () => {
    const order = await placeOrder();
    const path = `/v1/orders/${order.id}`;
    const { headers: before } = await shop.request('GET', path);
    const response = await request(order);
    // The request for a callback and the end of the callback are two events of the order's stream. Each of them changes the tag.
    await eventually('the callback', () => callbacksWith(idIn(response)).length > 0);
    await eventually('a deletion under the tag just read', async () => {
      const { etag = '' } = (await shop.request('GET', path)).headers;
      return etag !== before.etag && (await shop.request('DELETE', path, { ifMatch: etag })).status === 204;
    });
  });
});

/** Proves contract 17.7. */
describe('the public key of callbacks', () => {
  it('can be read by everybody, is the same in every tenant, and can be cached', async () => {
    const { status, json, text, headers } = await service.request<{ publicKey: string; jwk: { x: string } }>(
      'GET',
      '/v1/webhooks/public-key',
    );
    expect(status).toBe(200);
    const bytes = Buffer.from(/^whpk_(.+)$/.exec(json.publicKey)?.[1] ?? '', 'base64');
    expect([bytes.length, bytes.toString('base64url')]).toEqual([32, json.jwk.x]);
    expect((await shop.request('GET', '/v1/webhooks/public-key')).text).toBe(text);
    expect((await service.request('GET', '/v1/webhooks/public-key', { ifNoneMatch: headers.etag ?? '' })).status).toBe(304);
  });
});
