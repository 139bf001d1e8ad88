import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { WebhookDelivery, WebhookDeliveryCollection, WebhookRedelivery } from '../../apps/api/webhooks/delivery.dto.js';
import type { RegisteredWebhook } from '../../apps/api/webhooks/webhook.dto.js';
import { eventually } from '../eventually.js';
import { openReceiver, type ReceivedRequest, type Receiver } from '../servers/receiver.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { openShop, type Shop } from './shop.js';

let service: TestPetstore;
let keeper: string;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await startTestPetstore();
  keeper = await service.token('write:webhooks');
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(() => service.stop());

/** A shop with an endpoint and its receiver. */
type Scene = {
  readonly shop: Shop;
  readonly receiver: Receiver;
  readonly webhook: RegisteredWebhook;
  request<T = unknown>(method: string, path: string, options?: object): ReturnType<TestPetstore['request']> & Promise<{ readonly json: T }>;
};

const openScene = async (events: readonly string[] = ['pet.statusChanged']): Promise<Scene> => {
  const shop = await openShop(service);
  const receiver = await openReceiver();
  receivers.push(receiver);
  const requestAsKeeper = <T>(method: string, path: string, options: object = {}) =>
    shop.request<T>(method, path, { token: keeper, ...options });
  const { json } = await requestAsKeeper<RegisteredWebhook>('POST', '/v1/webhooks', { body: { url: `${receiver.url}/hooks`, events } });
  return {
    shop,
    receiver,
    webhook: json,
    request: (method, path, options) => requestAsKeeper(method, `/v1/webhooks/${json.id}${path}`, options),
  };
};

const waitForRequests = (receiver: Receiver, count = 1): Promise<readonly ReceivedRequest[]> =>
  eventually(`${count} received requests`, () => (receiver.received.length >= count ? receiver.received : null));
const deliveriesOf = async (scene: Scene, query = '') =>
  (await scene.request<WebhookDeliveryCollection>('GET', `/deliveries${query}`)).json;
const waitForDelivery = (scene: Scene, status: string) =>
  eventually(`a delivery that is ${status}`, async () => (await deliveriesOf(scene)).data.find((one) => one.status === status));
const verify = ({ body, headers }: ReceivedRequest, secret: string): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

/** Proves contract 20.1, contract 20.2, contract 20.11 and contract 20.13. */
describe('a test of an endpoint', () => {
  it('is accepted, sends a signed message, and has a delivery that can be read', async () => {
    const scene = await openScene();
    const { status, headers, json } = await scene.request<WebhookDelivery>('POST', '/test');
    expect([status, json.eventType]).toEqual([202, 'webhook.test']);
    const [received] = await waitForRequests(scene.receiver);
    if (!received) throw new Error('nothing arrived');
    expect(verify(received, scene.webhook.secret)).toMatchObject({
      eventId: received.headers['webhook-id'],
      eventType: 'webhook.test',
      data: { webhookId: scene.webhook.id },
    });
    const path = new URL(headers.location ?? '', service.url).pathname;
    const read = await eventually('its outcome', async () => {
      const response = await scene.shop.request<WebhookDelivery>('GET', path, { token: keeper });
      return response.json.status === 'delivered' ? response.json : null;
    });
    expect(read.attempts).toEqual([expect.objectContaining({ status: 204, url: `${scene.receiver.url}/hooks` })]);
    expect(read.request.body).toEqual(JSON.parse(received.body));
  });

  it('of a disabled endpoint returns 409, and so does a redelivery', async () => {
    const scene = await openScene();
    const { url, events } = scene.webhook;
    await scene.request('POST', '/test');
    await waitForRequests(scene.receiver);
    const [delivery] = (await deliveriesOf(scene)).data;
    await scene.request('PUT', '', { body: { url, events, status: 'disabled' } });
    expectProblem(await scene.request('POST', '/test'), 409, 'conflict');
    expectProblem(await scene.request('POST', `/deliveries/${delivery?.id}/redelivery`), 409, 'conflict');
    expect(scene.receiver.received).toHaveLength(1);
  });
});

/** Proves contract 19.2, contract 20.3 and contract 20.13. */
describe('the deliveries of an endpoint', () => {
  it('are listed in pages, and can be filtered by status', async () => {
    const scene = await openScene();
    const pets = [await scene.shop.listPet(), await scene.shop.listPet(), await scene.shop.listPet()];
    await eventually('three deliveries', async () => (await deliveriesOf(scene, '?status=delivered')).pagination.totalItems === 3);
    const [first, second] = [await deliveriesOf(scene, '?limit=2'), await deliveriesOf(scene, '?limit=2&page=2')];
    const petIds = [...first.data, ...second.data].map(({ request }) => (request.body as { data: { pet: { id: string } } }).data.pet.id);
    expect(petIds.toSorted()).toEqual(pets.map(({ id }) => id).toSorted());
    expect(first.pagination).toEqual({ page: 1, limit: 2, totalItems: 3, totalPages: 2 });
    expect((await deliveriesOf(scene, '?status=parked')).data).toEqual([]);
  });

  it('show the receiver’s response and the time of the next attempt', async () => {
    const scene = await openScene();
    scene.receiver.respondWith(() => ({ status: 503 }));
    await scene.shop.listPet();
    const failed = await eventually('an attempt', async () => (await deliveriesOf(scene)).data.find(({ attempts }) => attempts.length > 0));
    expect([failed.status, failed.attempts[0]?.status]).toEqual(['pending', 503]);
    expect(Date.parse(failed.nextAttemptAt ?? '')).toBeGreaterThan(Date.parse(failed.attempts[0]?.at ?? ''));
  });

  it('return 404 below another endpoint, for an unknown id, and after the removal of their endpoint', async () => {
    const [scene, other] = [await openScene(), await openScene()];
    await scene.shop.listPet();
    const { id } = await waitForDelivery(scene, 'delivered');
    expect((await scene.request('GET', `/deliveries/${id}`)).status).toBe(200);
    expectProblem(await other.request('GET', `/deliveries/${id}`), 404, 'not-found');
    expectProblem(await scene.request('GET', `/deliveries/${randomUUID()}`), 404, 'not-found');
    expectProblem(await scene.request('POST', `/deliveries/${randomUUID()}/redelivery`), 404, 'not-found');
    await scene.request('DELETE', '');
    for (const path of ['/deliveries', `/deliveries/${id}`]) expectProblem(await scene.request('GET', path), 404, 'not-found');
  });
});

/** Proves contract 20.11 and contract 20.12. */
describe('a redelivery', () => {
  it('of one delivery arrives with the same id', async () => {
    const scene = await openScene();
    await scene.shop.listPet();
    const { id } = await waitForDelivery(scene, 'delivered');
    const again = await scene.request<WebhookDelivery>('POST', `/deliveries/${id}/redelivery`);
    expect([again.status, again.json.id]).toEqual([202, id]);
    const [first, second] = await waitForRequests(scene.receiver, 2);
    expect([second?.headers['webhook-id'], second?.body]).toEqual([first?.headers['webhook-id'], first?.body]);
  });

  it('of a time range also sends events from before the registration', async () => {
    const shop = await openShop(service);
    const pet = await shop.listPet();
    const receiver = await openReceiver();
    receivers.push(receiver);
    const as = { token: keeper };
    const body = { url: receiver.url, events: ['pet.statusChanged'] };
    const { id } = (await shop.request<RegisteredWebhook>('POST', '/v1/webhooks', { ...as, body })).json;
    const accepted = await shop.request<WebhookRedelivery>('POST', `/v1/webhooks/${id}/redelivery`, {
      ...as,
      body: { since: pet.createdAt },
    });
    expect([accepted.status, accepted.json.since]).toEqual([202, pet.createdAt]);
    const [received] = await waitForRequests(receiver);
    expect(JSON.parse(received?.body ?? '')).toMatchObject({
      eventType: 'pet.statusChanged',
      data: { pet: { id: pet.id }, newStatus: 'AVAILABLE' },
    });
    const path = new URL(accepted.headers.location ?? '', service.url).pathname;
    const done = await eventually('the end of the redelivery', async () => {
      const { json } = await shop.request<WebhookRedelivery>('GET', path, as);
      return json.status === 'done' ? json : null;
    });
    expect(done.deliveries).toBe(1);
  });
});
