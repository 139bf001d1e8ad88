import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { ALL_SCOPES } from './callers.js';
import { expectProblem } from './problems.js';
import { MAKERS, type SendRequest } from './resources.js';

type Delivery = { readonly id: string; readonly tenant: string; readonly status: string; readonly createdAt: string };
type Page = { readonly data: readonly Delivery[]; readonly next: string | null };

let service: TestPetstore;
let receiver: Receiver;
beforeAll(async () => {
  [service, receiver] = [await startTestPetstore(), await openReceiver()];
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

/** Makes deliveries in two new tenants. Returns their ids by tenant. */
const makeDeliveries = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  const made = new Map<string, string[]>();
  for (const tenant of [randomUUID(), randomUUID()]) {
    const token = await service.token(ALL_SCOPES, { tenant });
    const request: SendRequest = (method, path, options) => service.request(method, path, { token, ...options });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await MAKERS.delivery({ request, receiver: receiver.url, owner: '' })).deliveryId ?? '');
    made.set(tenant, ids);
  }
  return made;
};

/** Proves contract 43.13. */
describe('the deliveries of all tenants', () => {
  it('are listed newest first, in pages that miss none and repeat none, without what is sent', async () => {
    const made = await makeDeliveries();
    const token = await service.token('ops');
    const read = async (query: string) => (await service.request<Page>('GET', `/v1/ops/deliveries?${query}`, { token })).json;
    const found: Delivery[] = [];
    for (let next: string | null = ''; next !== null && found.length < 1_000;) {
      const page: Page = await read(`status=delivered&limit=2${next === '' ? '' : `&after=${next}`}`);
      found.push(...page.data);
      ({ next } = page);
    }
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    const times = found.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    for (const [tenant, ids] of made) expect(found.filter((one) => one.tenant === tenant).map(({ id }) => id)).toEqual(ids.toReversed());
    for (const delivery of found) expect(delivery).not.toHaveProperty('request');
    expect((await read('limit=100')).data.map(({ id }) => id)).toEqual(expect.arrayContaining([...made.values()].flat()));
    expect((await read('status=parked')).data.filter(({ status }) => status !== 'parked')).toEqual([]);
  });

  it('can be sent again by an operator, once for each Idempotency-Key', async () => {
    const tenant = randomUUID();
    const staff = await service.token(ALL_SCOPES, { tenant });
    const request: SendRequest = (method, path, options) => service.request(method, path, { token: staff, ...options });
    const { id: webhookId, deliveryId = '' } = await MAKERS.delivery({ request, receiver: receiver.url, owner: '' });
    const token = await service.token('ops');
    const again = (body: object, id = deliveryId, idempotencyKey = 'again') =>
      service.request('POST', `/v1/ops/deliveries/${id}/redelivery`, { token, body, idempotencyKey });
    const attempts = async () =>
      (await request<{ attempts: readonly object[] }>('GET', `/v1/webhooks/${webhookId}/deliveries/${deliveryId}`)).json.attempts.length;
    const before = await attempts();
    const first = await again({ reason: 'the receiver lost it' });
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([204, undefined]);
    await eventually('another attempt', async () => (await attempts()) === before + 1);
    const replayed = await again({ reason: 'the receiver lost it' });
    expect([replayed.status, replayed.headers['idempotent-replayed']]).toEqual([204, 'true']);
    // The operation is of the whole store, so a key is the same in each tenant.
    const elsewhere = { token, body: { reason: 'the receiver lost it' }, idempotencyKey: 'again', tenant: randomUUID() };
    const other = await service.request('POST', `/v1/ops/deliveries/${deliveryId}/redelivery`, elsewhere);
    expect([other.status, other.headers['idempotent-replayed']]).toEqual([204, 'true']);
    expectProblem(await again({}), 422, 'idempotency-key-reused', { 'Idempotency-Key': ['mismatch'] });
    expectProblem(await again({}, randomUUID(), 'unknown'), 404, 'not-found');
    const { json: endpoint } = await request<object>('GET', `/v1/webhooks/${webhookId}`);
    expect((await request('PUT', `/v1/webhooks/${webhookId}`, { body: { ...endpoint, status: 'disabled' } })).status).toBe(200);
    expectProblem(await again({}, deliveryId, 'another'), 409, 'conflict');
    expect((await again({ reason: 'the receiver lost it' })).headers['idempotent-replayed']).toBe('true');
    expect(await attempts()).toBe(before + 1);
    const audit = await service.token('ops audit:read');
    const { json } = await service.request<{ data: readonly object[] }>('GET', '/v1/audit/events?type=RedeliveryRequested', {
      token: audit,
    });
    expect(json.data.filter((event) => JSON.stringify(event).includes(deliveryId))).toMatchObject([
      { data: { deliveryId, reason: 'the receiver lost it' } },
    ]);
  });

  it.each(['x', '2026-01-02', '2026-01-02T03:04:05.678Z_'])('reject the cursor %s', async (after) => {
    const token = await service.token('ops');
    const response = await service.request('GET', `/v1/ops/deliveries?after=${after}`, { token });
    expectProblem(response, 400, 'invalid-request', { after: 'INVALID_FORMAT' });
  });
});
