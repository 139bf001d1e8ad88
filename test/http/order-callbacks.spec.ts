import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { startStore, type TestStore } from '../servers/store.js';
import { expectProblem } from './problems.js';
import { openShop, type Order, type Shop } from './shop.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

let store: TestStore;
let shop: Shop;
let receiver: Receiver;
beforeAll(async () => {
  store = await startStore();
  shop = await openShop(store);
  receiver = await openReceiver();
});
beforeEach(() => receiver.answer(() => ({ status: 204 })));
afterAll(async () => {
  await store.stop();
  await receiver.close();
});

const placed = async (): Promise<Order> => shop.placeOrder((await shop.listPet()).id);
const wish = (more: object = {}) => ({
  amount: '250.00',
  currency: 'USD',
  timestamp: '2026-01-02T03:04:05Z',
  callbackUrl: `${receiver.url}/callbacks`,
  ...more,
});
const request = ({ id }: { readonly id: string }, body: object = wish(), asked: object = {}) =>
  shop.ask('POST', `/v1/orders/${id}`, { body, ...asked });
const idIn = ({ headers }: Awaited<ReturnType<typeof request>>) => String(headers['x-callback-request-id']);
const toldOf = (requestId: string) => receiver.received.filter(({ body }) => body.includes(requestId));

describe('asking for a callback', () => {
  it('is answered 201 with an empty object, and the id that the callback then has', async () => {
    const order = await placed();
    const answer = await request(order);
    expect([answer.status, answer.text, idIn(answer)]).toEqual([201, '{}', expect.stringMatching(UUID)]);
    const [told] = await eventually('the callback', () => {
      const found = toldOf(idIn(answer));
      return found.length > 0 ? found : null;
    });
    expect([told?.path, JSON.parse(told?.body ?? '')]).toEqual([
      '/callbacks',
      expect.objectContaining({ requestId: idIn(answer), orderId: order.id, status: 'COMPLETED' }),
    ]);
  });

  it('needs all four fields, each in its form; what is wrong is 400', async () => {
    const order = await placed();
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
    'at %s, which nobody may have called, is 400',
    async (callbackUrl) =>
      expectProblem(await request(await placed(), wish({ callbackUrl })), 400, 'invalid-request', { callbackUrl: 'forbidden_address' }),
  );

  it('of an order that is not there, is deleted, or is another tenant’s is 404', async () => {
    const order = await placed();
    expectProblem(await request({ id: randomUUID() }), 404, 'not-found');
    expectProblem(await request(order, wish(), { tenant: randomUUID() }), 404, 'not-found');
    await shop.ask('DELETE', `/v1/orders/${order.id}`);
    expectProblem(await request(order), 404, 'not-found');
    expectProblem(await request({ id: 'mine' }), 400, 'invalid-request', { id: 'INVALID_FORMAT' });
  });

  it('is done once for one Idempotency-Key', async () => {
    const order = await placed();
    const key = { idempotencyKey: randomUUID() };
    const first = await request(order, wish(), key);
    const again = await request(order, wish(), key);
    expect([again.status, again.text, idIn(again), again.headers['idempotent-replayed']]).toEqual([201, '{}', idIn(first), 'true']);
    expect(idIn(await request(order))).not.toBe(idIn(first));
    expectProblem(await request(order, wish({ amount: '1.00' }), key), 422, 'idempotency-key-reused', { 'Idempotency-Key': 'mismatch' });
  });

  it('is refused while five of the order are on their way, and possible again when one has arrived', async () => {
    receiver.answer(() => ({ status: 503 }));
    const order = await placed();
    const key = { idempotencyKey: randomUUID() };
    const first = await request(order, wish(), key);
    for (let count = 2; count <= 5; count++) expect((await request(order)).status).toBe(201);
    expectProblem(await request(order), 409, 'conflict');
    expect(idIn(await request(order, wish(), key))).toBe(idIn(first));
    expect((await request(await placed())).status).toBe(201);
    receiver.answer(() => ({ status: 204 }));
    await eventually('room for another', async () => (await request(order)).status === 201, 20_000);
  }, 30_000);

  it('leaves the order an entity tag that If-Match takes', async () => {
    const order = await placed();
    const path = `/v1/orders/${order.id}`;
    const { headers: before } = await shop.ask('GET', path);
    const answer = await request(order);
    // Its request and its end stand on the order's stream, so the tag moves with them, and is never behind for good.
    await eventually('the callback', () => toldOf(idIn(answer)).length > 0);
    await eventually('a deletion under the tag just read', async () => {
      const { etag = '' } = (await shop.ask('GET', path)).headers;
      return etag !== before.etag && (await shop.ask('DELETE', path, { ifMatch: etag })).status === 204;
    });
  });
});

describe('the key that callbacks are checked with', () => {
  it('is for everybody, the same in every tenant, and kept by caches', async () => {
    const { status, json, text, headers } = await store.request<{ publicKey: string; jwk: { x: string } }>(
      'GET',
      '/v1/webhooks/public-key',
    );
    expect(status).toBe(200);
    const bytes = Buffer.from(/^whpk_(.+)$/.exec(json.publicKey)?.[1] ?? '', 'base64');
    expect([bytes.length, bytes.toString('base64url')]).toEqual([32, json.jwk.x]);
    expect((await shop.ask('GET', '/v1/webhooks/public-key')).text).toBe(text);
    expect((await store.request('GET', '/v1/webhooks/public-key', { ifNoneMatch: headers.etag ?? '' })).status).toBe(304);
  });
});
