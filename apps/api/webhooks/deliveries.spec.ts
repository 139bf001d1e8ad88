import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redeliver, RedeliverSince, SendTest } from '../../../libs/application/deliveries/delivery.commands.js';
import { GetDelivery, GetRedelivery, ListDeliveries } from '../../../libs/application/deliveries/delivery.queries.js';
import { as, faultsIn, runningApi, type RunningApi } from '../testing/running-api.fixtures.js';

const ID = '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93';
const DELIVERY_ID = '8a1d2c3b-4e5f-5a6b-8c7d-9e0f1a2b3c4d';
const WEBHOOK = `/v1/webhooks/${ID}`;
const DELIVERY = `${WEBHOOK}/deliveries/${DELIVERY_ID}`;
const VIEW = { id: DELIVERY_ID, json: `{"id":"${DELIVERY_ID}"}`, etag: '3.1', fields: {} };

const setAnswers = (api: RunningApi): void => {
  api.application.setHandler(SendTest, () => VIEW);
  api.application.setHandler(Redeliver, () => VIEW);
  api.application.setHandler(RedeliverSince, () => VIEW);
  api.application.setHandler(GetDelivery, () => VIEW);
  api.application.setHandler(GetRedelivery, () => VIEW);
  api.application.setHandler(ListDeliveries, () => ({ items: [VIEW.json], totalItems: 1 }));
};

let api: RunningApi;
beforeAll(async () => {
  api = await runningApi({ RATE_LIMIT: 'off' });
});
afterAll(() => api.app.close());
beforeEach(() => setAnswers(api));

const send = (method: 'GET' | 'POST', url: string, payload?: object, headers: object = {}) =>
  api.inject({ method, url, headers: { ...as('staff'), ...headers }, ...(payload && { payload }) });

describe('a delivery of an endpoint', () => {
  it('is listed page by page, and by status', async () => {
    const { statusCode, body } = await send('GET', `${WEBHOOK}/deliveries?status=PARKED&page=2&limit=5`);
    expect([statusCode, body]).toEqual([200, `{"data":[${VIEW.json}],"pagination":{"page":2,"limit":5,"totalItems":1,"totalPages":1}}`]);
    const { webhookId, filter, page, limit, tenant } = api.application.last(ListDeliveries);
    expect([webhookId, filter, page, limit, tenant]).toEqual([ID, { status: 'parked' }, 2, 5, 'shared']);
  });

  it('cannot be listed by an unknown status (422) or for an unknown endpoint (404)', async () => {
    const response = await send('GET', `${WEBHOOK}/deliveries?status=lost`);
    expect([response.statusCode, faultsIn(response)]).toEqual([422, ['status invalid_enum']]);
    api.application.setHandler(ListDeliveries, () => null);
    expect((await send('GET', `${WEBHOOK}/deliveries`)).statusCode).toBe(404);
  });

  it('is read by its id', async () => {
    const { statusCode, headers, body } = await send('GET', DELIVERY);
    expect([statusCode, headers['etag'], body]).toEqual([200, '"3.1"', VIEW.json]);
    const { webhookId, id } = api.application.last(GetDelivery);
    expect([webhookId, id]).toEqual([ID, DELIVERY_ID]);
  });

  it('is 404 for an unknown id, and 400 for an id that is not a UUID', async () => {
    api.application.setHandler(GetDelivery, () => null);
    expect((await send('GET', DELIVERY)).statusCode).toBe(404);
    const response = await send('GET', '/v1/webhooks/mine/deliveries/latest');
    expect([response.statusCode, faultsIn(response)]).toEqual([400, ['deliveryId INVALID_FORMAT', 'id INVALID_FORMAT']]);
  });
});

describe('a test or redelivery', () => {
  it.each([
    ['an endpoint', `${WEBHOOK}/test`, `${WEBHOOK}/deliveries/${DELIVERY_ID}`],
    ['a delivery', `${DELIVERY}/redelivery`, `${WEBHOOK}/deliveries/${DELIVERY_ID}`],
  ])('of %s is 202 with its Location', async (_, path, location) => {
    const { statusCode, headers, body } = await send('POST', path);
    expect([statusCode, headers['location'], body]).toEqual([202, `https://pets.test${location}`, VIEW.json]);
  });

  it('of a time range is 202, and the command has the times in UTC', async () => {
    const body = { since: '2026-01-02T01:00:00+01:00', until: '2026-01-03t00:00:00.5z' };
    const { statusCode, headers } = await send('POST', `${WEBHOOK}/redelivery`, body, { 'idempotency-key': 'once' });
    expect([statusCode, headers['location']]).toEqual([202, `https://pets.test${WEBHOOK}/redelivery/${DELIVERY_ID}`]);
    const command = api.application.last(RedeliverSince);
    expect([command.input, command.request.idempotencyKey]).toEqual([
      { since: '2026-01-02T00:00:00.000Z', until: '2026-01-03T00:00:00.500Z' },
      'once',
    ]);
    expect((await send('GET', headers['location']?.replace('https://pets.test', '') ?? '')).statusCode).toBe(200);
    expect(api.application.last(GetRedelivery).id).toBe(DELIVERY_ID);
  });

  it.each<[string, object, readonly string[]]>([
    ['an empty body', {}, ['since required']],
    ['a day', { since: '2026-01-02' }, ['since INVALID_FORMAT']],
    ['a time without an offset', { since: '2026-01-02T00:00:00' }, ['since INVALID_FORMAT']],
    ['a day that does not exist', { since: '2026-02-30T00:00:00Z' }, ['since INVALID_FORMAT']],
    ['a year before the first in UTC', { since: '0000-01-01T00:00:00+23:59' }, ['since INVALID_FORMAT']],
    ['a year after the last in UTC', { since: '9999-12-31T23:59:59-23:59' }, ['since INVALID_FORMAT']],
    ['a leap second', { since: '2016-12-31T23:59:60Z' }, ['since INVALID_FORMAT']],
    ['an hour that does not exist', { since: '2026-02-03T24:00:00Z' }, ['since INVALID_FORMAT']],
    ['an end before its beginning', { since: '2026-01-02T00:00:00Z', until: '2026-01-02T00:30:00+01:00' }, ['until too_small']],
  ])('of a time range is rejected with 422 for %s', async (_, body, faults) => {
    const response = await send('POST', `${WEBHOOK}/redelivery`, body);
    expect([response.statusCode, faultsIn(response)]).toEqual([422, faults]);
  });

  it.each([
    ['webhook_not_found', 404],
    ['webhook_disabled', 409],
  ] as const)('is answered with the status of the rejection %s: %i', async (rejected, status) => {
    api.application.setHandler(SendTest, () => ({ rejected }));
    api.application.setHandler(Redeliver, () => ({ rejected }));
    api.application.setHandler(RedeliverSince, () => ({ rejected }));
    for (const [path, body] of [
      [`${WEBHOOK}/test`],
      [`${DELIVERY}/redelivery`],
      [`${WEBHOOK}/redelivery`, { since: '2026-01-02T00:00:00Z' }],
    ] as const)
      expect((await send('POST', path, body)).statusCode).toBe(status);
  });

  it('of an unknown delivery is 404', async () => {
    api.application.setHandler(Redeliver, () => ({ rejected: 'delivery_not_found' as const }));
    expect((await send('POST', `${DELIVERY}/redelivery`)).statusCode).toBe(404);
  });
});
