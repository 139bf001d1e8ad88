import type { RegisteredWebhook, Webhook } from '../../apps/api/webhooks/webhook.dto.js';
import { manualClock, type ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import type { ShownDelivery, ShownRedelivery } from '../../libs/application/deliveries/shown-deliveries.js';
import { openReceiver, type Received, type Receiver } from '../servers/receiver.js';
import { openOwnStore, type OwnStore } from './in-process-store.js';

type Pet = { readonly id: string; readonly name: string; readonly species: string; readonly ageMonths: number };

/** A store on a clock that stands still, with a receiver: what happens to an endpoint in days happens here at once. */
export type WebhookStore = {
  readonly store: OwnStore;
  readonly clock: ManualClock;
  readonly receiver: Receiver;
  register(more?: object): Promise<RegisteredWebhook>;
  endpoint(id: string): Promise<Webhook>;
  /** A pet is listed, which is an event: pet.statusChanged. */
  listPet(): Promise<string>;
  /** The pet comes to another status, which is another. */
  setStatus(petId: string, status: string): Promise<void>;
  deliveries(webhookId: string): Promise<readonly ShownDelivery[]>;
  /** One of them, with what was answered. */
  delivery(webhookId: string, id: string): Promise<ShownDelivery>;
  /** Waits for something while the time goes on a little at a time, so that whoever looks from time to time does. */
  until<T>(what: string, probe: () => Promise<T> | T): Promise<NonNullable<T>>;
  /** Waits likewise until the endpoint's newest delivery is as wanted. */
  newest(webhookId: string, what: string, isSo: (delivery: ShownDelivery) => boolean): Promise<ShownDelivery>;
  post<T = Record<string, unknown>>(path: string, body?: unknown): Promise<T>;
  redelivered(webhookId: string, id: string): Promise<ShownRedelivery>;
  /** Waits until so much has come in, and answers it. */
  receives(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
};

/** In milliseconds: little beside every delay of the schedule. */
const STEP = 50;

/** Opens both; the folder keeps what one of them leaves for the next. */
export const openWebhookStore = async (dataDir = ':memory:', clock: ManualClock = manualClock()): Promise<WebhookStore> => {
  const [store, receiver] = await Promise.all([openOwnStore(dataDir, { clock }), openReceiver()]);
  const { call } = store;
  const ok = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const { status, json } = await call(method, path, body === undefined ? {} : { body });
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(json)}`);
    return json as T;
  };
  const deliveries = async (webhookId: string): Promise<readonly ShownDelivery[]> =>
    (await ok<{ data: readonly ShownDelivery[] }>('GET', `/v1/webhooks/${webhookId}/deliveries?limit=100`)).data;
  const until: WebhookStore['until'] = (what, probe) =>
    eventually(what, () => {
      clock.advance(STEP);
      return probe();
    });
  return {
    store,
    clock,
    until,
    receiver,
    deliveries,
    delivery: (webhookId, id) => ok('GET', `/v1/webhooks/${webhookId}/deliveries/${id}`),
    register: (more = {}) => ok('POST', '/v1/webhooks', { url: receiver.url, events: ['pet.statusChanged'], ...more }),
    endpoint: (id) => ok('GET', `/v1/webhooks/${id}`),
    listPet: async () => (await ok<Pet>('POST', '/v1/pets', { name: 'Told', species: 'CAT', ageMonths: 4 })).id,
    async setStatus(petId, status) {
      await ok('PUT', `/v1/pets/${petId}`, { name: 'Told', species: 'CAT', ageMonths: 4, status });
    },
    newest: (webhookId, what, isSo) =>
      until(`the newest delivery to be ${what}`, async () => {
        const [delivery] = await deliveries(webhookId);
        return delivery && isSo(delivery) ? delivery : null;
      }),
    post: (path, body) => ok('POST', path, body),
    redelivered: (webhookId, id) =>
      until('the redelivery to be done', async () => {
        const redelivery = await ok<ShownRedelivery>('GET', `/v1/webhooks/${webhookId}/redelivery/${id}`);
        return redelivery.status === 'done' ? redelivery : null;
      }),
    async receives(count) {
      await until(`${count} deliveries, where there are ${receiver.received.length}`, () => receiver.received.length >= count);
      return receiver.received;
    },
    async close() {
      // Whoever never answers is hung up on first: the clock stands still, so nobody would give it up.
      await receiver.close();
      await store.stop();
    },
  };
};
