import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { WebhookDelivery, WebhookDeliveryCollection, WebhookRedelivery } from '../../apps/api/webhooks/delivery.dto.js';
import type { RegisteredWebhook, WebhookSecret } from '../../apps/api/webhooks/webhook.dto.js';
import { eventually } from '../eventually.js';
import type { Asked } from '../servers/client.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { pipelined, statusesOf } from './pipelining.js';
import { openRacing, tally, textsOf, type Racing } from './racing.js';
import type { Page, Shop } from './shop.js';

jest.setTimeout(90_000);

/** Each request is a case. */
const CASES = 1_600;

let racing: Racing;
let receiver: Receiver;
beforeAll(async () => {
  racing = await openRacing();
  receiver = await openReceiver();
});
afterAll(async () => {
  await racing.close();
  await receiver.close();
});

const statuses = (counts: readonly number[]) => tally(counts.map((status) => ({ status })));
const WEBHOOK = { events: ['pet.statusChanged'] };
const asKeeper = <T>(by: Shop, method: string, path: string, asked: Asked = {}) => by.askAsStaff<T>(method, `/v1/webhooks${path}`, asked);
const endpoint = async (url = receiver.url): Promise<RegisteredWebhook> =>
  (await asKeeper<RegisteredWebhook>(racing.shop, 'POST', '', { body: { ...WEBHOOK, url } })).json;

/** A registration as it goes over the wire. */
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

describe(`${CASES} requests that race about webhooks and callbacks`, () => {
  it('500 registrations in one go, half by each api: 50 endpoints are made', async () => {
    const tenant = randomUUID();
    const inOneGo = (url: string) =>
      pipelined(
        url,
        Array.from({ length: 250 }, (_, nth) => registration(url, tenant, nth)),
      );
    const answers = await Promise.all(racing.urls.map(inOneGo));
    expect(statuses(answers.flatMap(statusesOf))).toEqual({ 201: 50, 409: 450 });
    await eventually('50 endpoints', async () => {
      const { json } = await asKeeper<Page<unknown>>(racing.shop, 'GET', '', { tenant });
      return json.pagination.totalItems === 50;
    });
  });

  it('200 deletions and registrations of 50 endpoints: never more than 50, and each slot is used again', async () => {
    const tenant = randomUUID();
    const register = (by: Shop) =>
      asKeeper<RegisteredWebhook>(by, 'POST', '', { tenant, body: { ...WEBHOOK, url: 'https://shop.example.com/' } });
    const made = await racing.race(50, register);
    expect(tally(made)).toEqual({ 201: 50 });
    const answers = await racing.race(150, (by, nth) =>
      nth % 3 === 0 ? asKeeper(by, 'DELETE', `/${made[nth / 3]?.json.id}`, { tenant }) : register(by),
    );
    const deleted = answers.filter((_, nth) => nth % 3 === 0);
    expect(tally(deleted)).toEqual({ 204: 50 });
    const registered = answers.filter(({ status }) => status === 201).length;
    const others = await racing.race(100, register);
    expect(tally(others)).toEqual({ ...(registered < 50 && { 201: 50 - registered }), 409: 50 + registered });
  });

  it('100 registrations with one Idempotency-Key: one endpoint, one secret', async () => {
    const asked = { idempotencyKey: randomUUID(), body: { ...WEBHOOK, url: receiver.url } };
    const answers = await racing.race(100, (by) => asKeeper<RegisteredWebhook>(by, 'POST', '', asked));
    expect([tally(answers), textsOf(answers, 201)]).toEqual([{ 201: 100 }, 1]);
  });

  it('50 rotations of a secret: 50 secrets; 50 with one Idempotency-Key: one', async () => {
    const { id } = await endpoint();
    const each = await racing.race(50, (by) => asKeeper<WebhookSecret>(by, 'POST', `/${id}/secret`));
    expect([tally(each), new Set(each.map(({ json }) => json.secret)).size]).toEqual([{ 200: 50 }, 50]);
    const asked = { idempotencyKey: randomUUID() };
    const alike = await racing.race(50, (by) => asKeeper<WebhookSecret>(by, 'POST', `/${id}/secret`, asked));
    expect([tally(alike), new Set(alike.map(({ json }) => json.secret)).size]).toEqual([{ 200: 50 }, 1]);
  });

  it('100 requests to send a delivery again with one Idempotency-Key: it is sent once more', async () => {
    const own = await openReceiver();
    try {
      const { id } = await endpoint(own.url);
      const test = (): Promise<{ readonly json: WebhookDelivery }> => asKeeper<WebhookDelivery>(racing.shop, 'POST', `/${id}/test`);
      const { json: first } = await test();
      const isDelivered = async (delivery: string): Promise<boolean> => {
        const { data } = (await asKeeper<WebhookDeliveryCollection>(racing.shop, 'GET', `/${id}/deliveries`)).json;
        return data.find((one) => one.id === delivery)?.status === 'delivered';
      };
      await eventually('the first delivery', () => isDelivered(first.id));
      const asked = { idempotencyKey: randomUUID() };
      const answers = await racing.race(100, (by) => asKeeper(by, 'POST', `/${id}/deliveries/${first.id}/redelivery`, asked));
      expect(tally(answers)).toEqual({ 202: 100 });
      const arrivals = (): number => own.received.filter(({ headers }) => headers['webhook-id'] === first.eventId).length;
      await eventually('the second arrival', () => arrivals() === 2);
      // Whatever else had been asked for would be there before what is asked for now.
      const { json: last } = await test();
      await eventually('a later delivery', () => isDelivered(last.id));
      expect(arrivals()).toBe(2);
    } finally {
      await own.close();
    }
  });

  it('50 tests of each of two endpoints with one Idempotency-Key: each is sent one', async () => {
    const endpoints = [await endpoint(), await endpoint()];
    const asked = { idempotencyKey: randomUUID() };
    const answers = await racing.race(100, (by, nth) =>
      asKeeper<WebhookDelivery>(by, 'POST', `/${endpoints[(nth >> 1) & 1]?.id}/test`, asked),
    );
    expect([tally(answers), new Set(answers.map(({ json }) => json.id)).size]).toEqual([{ 202: 100 }, 2]);
  });

  it('100 requests to send a stretch of time again: one with one Idempotency-Key, else one after the other', async () => {
    const { id } = await endpoint();
    const body = { since: new Date(Date.now() - 60_000).toISOString() };
    const asked = { idempotencyKey: randomUUID(), body };
    const alike = await racing.race(50, (by) => asKeeper<WebhookRedelivery>(by, 'POST', `/${id}/redelivery`, asked));
    expect([tally(alike), new Set(alike.map(({ json }) => json.id)).size]).toEqual([{ 202: 50 }, 1]);
    const each = await racing.race(50, (by) => asKeeper(by, 'POST', `/${id}/redelivery`, { body }));
    expect(each.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);
    await eventually(
      'another to be possible',
      async () => (await asKeeper(racing.shop, 'POST', `/${id}/redelivery`, { body })).status === 202,
    );
  });

  it('100 requests for callbacks of one order: five; 100 with one Idempotency-Key: one', async () => {
    receiver.answer(() => ({ status: 503 }));
    const order = async (): Promise<string> => `/v1/orders/${(await racing.shop.placeOrder((await racing.shop.listPet()).id)).id}`;
    const body = { amount: '250.00', currency: 'USD', timestamp: '2026-01-02T03:04:05Z', callbackUrl: `${receiver.url}/callbacks` };
    const path = await order();
    expect(tally(await racing.race(100, (by) => by.ask('POST', path, { body })))).toEqual({ 201: 5, 409: 95 });
    const [once, asked] = [await order(), { idempotencyKey: randomUUID(), body }];
    const alike = await racing.race(100, (by) => by.ask('POST', once, asked));
    expect([tally(alike), new Set(alike.map(({ headers }) => headers['x-callback-request-id'])).size]).toEqual([{ 201: 100 }, 1]);
    const bodies = [body, { ...body, amount: '1.00' }];
    const [twice, idempotencyKey] = [await order(), randomUUID()];
    const mixed = await racing.race(100, (by, nth) => by.ask('POST', twice, { idempotencyKey, body: bodies[nth >= 50 ? 1 : 0] }));
    expect(tally(mixed)).toEqual({ 201: 50, 422: 50 });
  });

  it('are as many as the title says', () => expect(racing.raced() + 500).toBe(CASES));
});
