import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WebhookDelivery, WebhookDeliveryCollection, WebhookRedelivery } from '../../apps/api/webhooks/delivery.dto.js';
import type { RegisteredWebhook, WebhookSecret } from '../../apps/api/webhooks/webhook.dto.js';
import { eventually } from '../eventually.js';
import type { RequestOptions } from '../servers/client.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { pipelined, statusesOf } from './pipelining.js';
import { openRacingShop, tally, countDifferentTexts, type RacingShop } from './racing.js';
import type { Page, Shop } from './shop.js';

/** The number of requests that the tests of this suite send. */
const CASES = 1_600;

let racing: RacingShop;
let receiver: Receiver;
beforeAll(async () => {
  racing = await openRacingShop();
  receiver = await openReceiver();
});
afterAll(async () => {
  await racing.close();
  await receiver.close();
});

const statuses = (counts: readonly number[]) => tally(counts.map((status) => ({ status })));
const WEBHOOK = { events: ['pet.statusChanged'] };
const asStaff = <T>(by: Shop, method: string, path: string, options: RequestOptions = {}) =>
  by.requestAsStaff<T>(method, `/v1/webhooks${path}`, options);
const endpoint = async (url = receiver.url): Promise<RegisteredWebhook> =>
  (await asStaff<RegisteredWebhook>(racing.shop, 'POST', '', { body: { ...WEBHOOK, url } })).json;

/** The bytes of a request that registers an endpoint. */
const registration = (url: string, tenant: string, nth: number): string => {
  const body = JSON.stringify({ ...WEBHOOK, url: `https://shop.example.com/${nth}` });
  const head = [
    'POST /v1/webhooks HTTP/1.1',
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${racing.staff}`,
    `X-Tenant-ID: ${tenant}`,
  ];
  return [...head, 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body].join('\r\n');
};

/** Proves contract 9.5, contract 17.3, contract 18.4 and contract 20.12. */
describe(`${CASES} concurrent requests for webhooks and callbacks`, () => {
  it('500 pipelined registrations, half of them to each API: 50 endpoints are created', async () => {
    const tenant = randomUUID();
    const pipeline = (url: string) =>
      pipelined(
        url,
        Array.from({ length: 250 }, (_, nth) => registration(url, tenant, nth)),
      );
    const exchanges = await Promise.all(racing.urls.map(pipeline));
    expect(statuses(exchanges.flatMap(statusesOf))).toEqual({ 201: 50, 409: 450 });
    await eventually('50 endpoints', async () => {
      const { json } = await asStaff<Page<unknown>>(racing.shop, 'GET', '', { tenant });
      return json.pagination.totalItems === 50;
    });
  });

  it('200 deletions and registrations of 50 endpoints: there are never more than 50, and each slot is reused', async () => {
    const tenant = randomUUID();
    const register = (by: Shop) =>
      asStaff<RegisteredWebhook>(by, 'POST', '', { tenant, body: { ...WEBHOOK, url: 'https://shop.example.com/' } });
    const made = await racing.race(50, register);
    expect(tally(made)).toEqual({ 201: 50 });
    const responses = await racing.race(150, (by, nth) =>
      nth % 3 === 0 ? asStaff(by, 'DELETE', `/${made[nth / 3]?.json.id}`, { tenant }) : register(by),
    );
    const deleted = responses.filter((_, nth) => nth % 3 === 0);
    expect(tally(deleted)).toEqual({ 204: 50 });
    const registered = responses.filter(({ status }) => status === 201).length;
    const others = await racing.race(100, register);
    expect(tally(others)).toEqual({ ...(registered < 50 && { 201: 50 - registered }), 409: 50 + registered });
  });

  it('100 registrations with one Idempotency-Key: one endpoint, one secret', async () => {
    const options = { idempotencyKey: randomUUID(), body: { ...WEBHOOK, url: receiver.url } };
    const responses = await racing.race(100, (by) => asStaff<RegisteredWebhook>(by, 'POST', '', options));
    expect([tally(responses), countDifferentTexts(responses, 201)]).toEqual([{ 201: 100 }, 1]);
  });

  it('50 rotations of a secret: 50 new secrets; 50 rotations with one Idempotency-Key: one new secret', async () => {
    const { id } = await endpoint();
    const each = await racing.race(50, (by) => asStaff<WebhookSecret>(by, 'POST', `/${id}/secret`));
    expect([tally(each), new Set(each.map(({ json }) => json.secret)).size]).toEqual([{ 200: 50 }, 50]);
    const options = { idempotencyKey: randomUUID() };
    const alike = await racing.race(50, (by) => asStaff<WebhookSecret>(by, 'POST', `/${id}/secret`, options));
    expect([tally(alike), new Set(alike.map(({ json }) => json.secret)).size]).toEqual([{ 200: 50 }, 1]);
  });

  it('100 redeliveries of a delivery with one Idempotency-Key: the receiver gets one more request', async () => {
    const own = await openReceiver();
    try {
      const { id } = await endpoint(own.url);
      const test = (): Promise<{ readonly json: WebhookDelivery }> => asStaff<WebhookDelivery>(racing.shop, 'POST', `/${id}/test`);
      const { json: first } = await test();
      const isDelivered = async (delivery: string): Promise<boolean> => {
        const { data } = (await asStaff<WebhookDeliveryCollection>(racing.shop, 'GET', `/${id}/deliveries`)).json;
        return data.find((one) => one.id === delivery)?.status === 'delivered';
      };
      await eventually('the first delivery', () => isDelivered(first.id));
      const options = { idempotencyKey: randomUUID() };
      const responses = await racing.race(100, (by) => asStaff(by, 'POST', `/${id}/deliveries/${first.id}/redelivery`, options));
      expect(tally(responses)).toEqual({ 202: 100 });
      const arrivals = (): number => own.received.filter(({ headers }) => headers['webhook-id'] === first.eventId).length;
      await eventually('the second arrival', () => arrivals() === 2);
      // Requests one more delivery. If another of the 100 redeliveries were still to be sent, it would arrive before this one.
      const { json: last } = await test();
      await eventually('a later delivery', () => isDelivered(last.id));
      expect(arrivals()).toBe(2);
    } finally {
      await own.close();
    }
  });

  it('50 tests of each of two endpoints with one Idempotency-Key: each endpoint gets one test', async () => {
    const endpoints = [await endpoint(), await endpoint()];
    const options = { idempotencyKey: randomUUID() };
    const responses = await racing.race(100, (by, nth) =>
      asStaff<WebhookDelivery>(by, 'POST', `/${endpoints[(nth >> 1) & 1]?.id}/test`, options),
    );
    expect([tally(responses), new Set(responses.map(({ json }) => json.id)).size]).toEqual([{ 202: 100 }, 2]);
  });

  it('50 redeliveries of a period with one Idempotency-Key: one redelivery; 50 without a key: each request gets 202 or 409', async () => {
    const { id } = await endpoint();
    const body = { since: new Date(Date.now() - 60_000).toISOString() };
    const options = { idempotencyKey: randomUUID(), body };
    const alike = await racing.race(50, (by) => asStaff<WebhookRedelivery>(by, 'POST', `/${id}/redelivery`, options));
    expect([tally(alike), new Set(alike.map(({ json }) => json.id)).size]).toEqual([{ 202: 50 }, 1]);
    const each = await racing.race(50, (by) => asStaff(by, 'POST', `/${id}/redelivery`, { body }));
    expect(each.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);
    await eventually(
      'another redelivery to be possible',
      async () => (await asStaff(racing.shop, 'POST', `/${id}/redelivery`, { body })).status === 202,
    );
  });

  it('100 callbacks of one order: five are accepted; with one Idempotency-Key: one callback; with two bodies: one body', async () => {
    receiver.respondWith(() => ({ status: 503 }));
    const order = async (): Promise<string> => `/v1/orders/${(await racing.shop.placeOrder((await racing.shop.listPet()).id)).id}`;
    const body = { amount: '250.00', currency: 'USD', timestamp: '2026-01-02T03:04:05Z', callbackUrl: `${receiver.url}/callbacks` };
    const path = await order();
    expect(tally(await racing.race(100, (by) => by.request('POST', path, { body })))).toEqual({ 201: 5, 409: 95 });
    const [once, options] = [await order(), { idempotencyKey: randomUUID(), body }];
    const alike = await racing.race(100, (by) => by.request('POST', once, options));
    expect([tally(alike), new Set(alike.map(({ headers }) => headers['x-callback-request-id'])).size]).toEqual([{ 201: 100 }, 1]);
    const bodies = [body, { ...body, amount: '1.00' }];
    const [twice, idempotencyKey] = [await order(), randomUUID()];
    const mixed = await racing.race(100, (by, nth) => by.request('POST', twice, { idempotencyKey, body: bodies[nth >= 50 ? 1 : 0] }));
    expect(tally(mixed)).toEqual({ 201: 50, 422: 50 });
  });

  it('are as many as the title of this suite says', () => expect(racing.sent() + 500).toBe(CASES));
});
