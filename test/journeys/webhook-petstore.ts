import type { RegisteredWebhook, Webhook } from '../../apps/api/webhooks/webhook.dto.js';
import { manualClock, type ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import type { DeliveryResource, RedeliveryResource } from '../../libs/application/deliveries/delivery-views.js';
import { openReceiver, type ReceivedRequest, type Receiver } from '../servers/receiver.js';
import { openInProcessStore, type InProcessPetstore } from './in-process-petstore.js';

type Pet = { readonly id: string; readonly name: string; readonly species: string; readonly ageMonths: number };

/** A service with a manual clock, and a receiver. Tests advance the clock by days. */
export type WebhookStore = {
  readonly service: InProcessPetstore;
  readonly clock: ManualClock;
  readonly receiver: Receiver;
  register(more?: object): Promise<RegisteredWebhook>;
  endpoint(id: string): Promise<Webhook>;
  /** Creates a pet, which publishes `pet.statusChanged`. */
  listPet(): Promise<string>;
  /** Changes a pet's status, which publishes `pet.statusChanged`. */
  setStatus(petId: string, status: string): Promise<void>;
  deliveries(webhookId: string): Promise<readonly DeliveryResource[]>;
  /** Reads one delivery, with the responses to its attempts. */
  delivery(webhookId: string, id: string): Promise<DeliveryResource>;
  /** Advances the clock in small steps until `probe` returns a value, so that timers run. */
  waitUntil<T>(what: string, probe: () => Promise<T> | T): Promise<NonNullable<T>>;
  /** Advances the clock in small steps until the endpoint's newest delivery matches. */
  waitForNewest(webhookId: string, what: string, matches: (delivery: DeliveryResource) => boolean): Promise<DeliveryResource>;
  post<T = Record<string, unknown>>(path: string, body?: unknown): Promise<T>;
  waitForRedelivery(webhookId: string, id: string): Promise<RedeliveryResource>;
  /** Waits until at least `count` requests were received, and returns all of them. */
  waitForRequests(count: number): Promise<readonly ReceivedRequest[]>;
  close(): Promise<void>;
};

/** Milliseconds. Much less than every delay of the retry schedule. */
const STEP = 50;

/** Starts a service and a receiver. A second service on the same folder and clock continues the work of the first. */
export const openWebhookStore = async (
  dataDir = ':memory:',
  clock: ManualClock = manualClock(),
  env: Readonly<Record<string, string>> = {},
): Promise<WebhookStore> => {
  const [service, receiver] = await Promise.all([openInProcessStore(dataDir, { clock }, env), openReceiver()]);
  const { call } = service;
  const ok = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const { status, json } = await call(method, path, body === undefined ? {} : { body });
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(json)}`);
    return json as T;
  };
  const deliveries = async (webhookId: string): Promise<readonly DeliveryResource[]> =>
    (await ok<{ data: readonly DeliveryResource[] }>('GET', `/v1/webhooks/${webhookId}/deliveries?limit=100`)).data;
  const waitUntil: WebhookStore['waitUntil'] = (what, probe) =>
    eventually(what, () => {
      clock.advance(STEP);
      return probe();
    });
  return {
    service,
    clock,
    waitUntil,
    receiver,
    deliveries,
    delivery: (webhookId, id) => ok('GET', `/v1/webhooks/${webhookId}/deliveries/${id}`),
    register: (more = {}) => ok('POST', '/v1/webhooks', { url: receiver.url, events: ['pet.statusChanged'], ...more }),
    endpoint: (id) => ok('GET', `/v1/webhooks/${id}`),
    listPet: async () => (await ok<Pet>('POST', '/v1/pets', { name: 'Rex', species: 'CAT', ageMonths: 4 })).id,
    async setStatus(petId, status) {
      await ok('PUT', `/v1/pets/${petId}`, { name: 'Rex', species: 'CAT', ageMonths: 4, status });
    },
    waitForNewest: (webhookId, what, matches) =>
      waitUntil(`the newest delivery to be ${what}`, async () => {
        const [delivery] = await deliveries(webhookId);
        return delivery && matches(delivery) ? delivery : null;
      }),
    post: (path, body) => ok('POST', path, body),
    waitForRedelivery: (webhookId, id) =>
      waitUntil('the redelivery to be done', async () => {
        const redelivery = await ok<RedeliveryResource>('GET', `/v1/webhooks/${webhookId}/redelivery/${id}`);
        return redelivery.status === 'done' ? redelivery : null;
      }),
    async waitForRequests(count) {
      await waitUntil(`${count} requests, now ${receiver.received.length}`, () => receiver.received.length >= count);
      return receiver.received;
    },
    async close() {
      // Closes the receiver first, which ends its unanswered requests. They cannot time out, because the clock does not advance.
      await receiver.close();
      await service.stop();
    },
  };
};
