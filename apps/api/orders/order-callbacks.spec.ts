import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GetOrder } from '../../../libs/application/orders/order.queries.js';
import { RequestCallback } from '../../../libs/application/orders/order.commands.js';
import { ValidateUrl } from '../../../libs/application/webhooks/webhook.queries.js';
import { rejected } from '../../../libs/eventsourcing/decider.js';
import { as, faultsIn, ORDER_ID, runningApi, type RunningApi } from '../testing/running-api.fixtures.js';

const ORDER = `/v1/orders/${ORDER_ID}`;
const REQUEST_ID = '0190a6b7-5b6c-7f89-8a5e-8c6fab7d9eb5';
const REQUEST = { amount: '250.00', currency: 'USD', timestamp: '2026-01-02T03:04:05Z', callbackUrl: 'https://shop.test/callbacks' };

const setAnswers = (api: RunningApi): void => {
  api.application.setHandler(ValidateUrl, ({ url }) => (url.includes('127.0.0.1') ? 'must not be this machine.' : null));
  api.application.setHandler(RequestCallback, () => ({ requestId: REQUEST_ID, replayed: false }));
  api.application.setHandler(GetOrder, () => ({ id: ORDER_ID, json: '{}', etag: '0.1', fields: { userId: 'ann' } }));
};
const post = (api: RunningApi, payload: object, headers: object = {}) =>
  api.inject({ method: 'POST', url: ORDER, payload, headers: { ...headers } });

describe('POST /v1/orders/{id}', () => {
  let api: RunningApi;
  beforeAll(async () => {
    api = await runningApi({ RATE_LIMIT: 'off' });
  });
  afterAll(() => api.app.close());
  beforeEach(() => setAnswers(api));

  it('answers with an empty body and the id of the callback in a header', async () => {
    const { statusCode, headers, body } = await post(api, REQUEST);
    expect([statusCode, body, headers['x-callback-request-id'], headers['location']]).toEqual([
      201,
      '{}',
      REQUEST_ID,
      `https://pets.test${ORDER}`,
    ]);
    const { orderId, input, request } = api.application.last(RequestCallback);
    expect([orderId, input, request.actor]).toEqual([ORDER_ID, REQUEST, 'anonymous']);
  });

  it('marks a replayed response, and passes the Idempotency-Key to the command', async () => {
    api.application.setHandler(RequestCallback, () => ({ requestId: REQUEST_ID, replayed: true }));
    const { headers } = await post(api, REQUEST, { 'idempotency-key': 'once' });
    expect([headers['idempotent-replayed'], api.application.last(RequestCallback).request.idempotencyKey]).toEqual(['true', 'once']);
  });

  it.each<[string, object, readonly string[]]>([
    ['an empty body', {}, ['amount required', 'callbackUrl required', 'currency required', 'timestamp required']],
    ['an amount without decimals', { ...REQUEST, amount: '250' }, ['amount INVALID_FORMAT']],
    ['an amount that is not a text', { ...REQUEST, amount: 250 }, ['amount invalid_type']],
    ['an unknown currency', { ...REQUEST, currency: 'XYZ' }, ['currency INVALID_FORMAT']],
    ['a time that cannot be read', { ...REQUEST, timestamp: 'now' }, ['timestamp INVALID_FORMAT']],
    ['a malformed address', { ...REQUEST, callbackUrl: 'shop' }, ['callbackUrl INVALID_FORMAT']],
    ['another scheme', { ...REQUEST, callbackUrl: 'file:///etc/passwd' }, ['callbackUrl INVALID_FORMAT']],
    ['a forbidden address', { ...REQUEST, callbackUrl: 'http://127.0.0.1/' }, ['callbackUrl forbidden_address']],
    ['an unknown property', { ...REQUEST, status: 'COMPLETED' }, ['status unknown_property']],
  ])('rejects %s with 400 (contract 4.3)', async (_, body, faults) => {
    const response = await post(api, body);
    expect([response.statusCode, faultsIn(response)]).toEqual([400, faults]);
  });

  it('answers 404 for an unknown order, and 409 for an order with five open callbacks', async () => {
    api.application.setHandler(RequestCallback, () => rejected('order_not_found'));
    expect((await post(api, REQUEST)).statusCode).toBe(404);
    api.application.setHandler(RequestCallback, () => rejected('too_many_open_callbacks'));
    expect((await post(api, REQUEST)).statusCode).toBe(409);
  });
});

describe('POST /v1/orders/{id} under the strict policy', () => {
  let api: RunningApi;
  beforeAll(async () => {
    api = await runningApi({ RATE_LIMIT: 'off', ACCESS_POLICY: 'strict' });
  });
  afterAll(() => api.app.close());
  beforeEach(() => setAnswers(api));

  it('is allowed for the owner and staff, and answers 404 to other callers', async () => {
    expect((await post(api, REQUEST)).statusCode).toBe(401);
    expect((await post(api, REQUEST, as('bound'))).statusCode).toBe(404);
    for (const name of ['ann', 'staff']) expect((await post(api, REQUEST, as(name))).statusCode).toBe(201);
  });
});
