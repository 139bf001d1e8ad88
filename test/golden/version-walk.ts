import type { ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import type { JsonResponse, Call } from '../servers/calling.js';
import type { Receiver } from '../servers/receiver.js';

/** What the walk uses: a client of a service, the clock of the service, and a receiver of webhooks. */
type WalkOptions = { readonly call: Call; readonly clock: ManualClock; readonly receiver: Receiver };

/** The setting ORDER_HOLD of the walk: the time for which an unpaid order reserves its pet. */
export const ORDER_HOLD = '1h';
/** Milliseconds that a charge of the slow card takes. */
export const SLOW_MILLISECONDS = 120_000;
const STEP = 10_000;
const MINUTE = 60_000;

const PET = { species: 'DOG', breed: 'Beagle', ageMonths: 14, size: 'MEDIUM', price: '250.00', currency: 'USD' };
const CARD = { object: 'card', name: 'Golden Payer', number: '4242424242424242', cvc: '123', expMonth: 12, expYear: 2090 };
const DECLINED = { ...CARD, number: '4000000000000002' };
const SLOW = { ...CARD, number: '4000000000000259' };
const ACCOUNT = { object: 'bank_account', number: '000123456789', sortCode: '110000', name: 'Golden Account' };

type Walker = {
  readonly create: (path: string, body?: object) => Promise<string>;
  readonly send: (method: string, path: string, body?: object) => Promise<JsonResponse>;
  /** Advances the clock in steps until the resource at `path` has this status. */
  readonly reach: (path: string, status: string | number, step?: number) => Promise<void>;
};

const walkerOn = ({ call, clock }: WalkOptions): Walker => {
  const send = async (method: string, path: string, body?: object): Promise<JsonResponse> => {
    const response = await call(method, path, body && { body });
    if (response.status >= 300) throw new Error(`${method} ${path} answered ${response.status}: ${response.text}`);
    return response;
  };
  return {
    send,
    create: async (path, body = {}) => String((await send('POST', path, body)).json['id']),
    async reach(path, status, step = STEP) {
      const isReached = async (): Promise<boolean> => {
        clock.advance(step);
        const response = await call('GET', path);
        return response.status === status || response.json['status'] === status;
      };
      await eventually(`${path} to be ${status}`, isReached);
    },
  };
};

const orderPet = async ({ create }: Walker, name: string): Promise<{ readonly pet: string; readonly order: string }> => {
  const pet = await create('/v1/pets', { ...PET, name });
  return { pet, order: await create('/v1/orders', { petId: pet, userId: 'golden-user' }) };
};

const pay = async ({ send }: Walker, order: string, source: object): Promise<void> =>
  void (await send('POST', `/v1/orders/${order}/payment`, { amount: '250.00', currency: 'USD', source }));

const walkOrders = async (walker: Walker): Promise<void> => {
  const { send, reach } = walker;
  const expiring = await orderPet(walker, 'Expiring');
  const delivered = await orderPet(walker, 'Delivered');
  await pay(walker, delivered.order, CARD);
  await reach(`/v1/pets/${delivered.pet}`, 'ADOPTED');
  for (const step of ['shipment', 'delivery']) await send('POST', `/v1/orders/${delivered.order}/${step}`);
  const approved = await orderPet(walker, 'Approved');
  await pay(walker, approved.order, DECLINED);
  await reach(`/v1/orders/${approved.order}/payment`, 'failed');
  await pay(walker, approved.order, ACCOUNT);
  await reach(`/v1/orders/${approved.order}`, 'approved');
  const removed = await orderPet(walker, 'Removed');
  await pay(walker, removed.order, SLOW);
  await send('DELETE', `/v1/orders/${removed.order}`);
  await reach(`/v1/pets/${removed.pet}`, 'AVAILABLE');
  await reach(`/v1/orders/${expiring.order}`, 'cancelled', MINUTE);
};

const walkPets = async ({ create, send }: Walker): Promise<void> => {
  const revised = await create('/v1/pets', { ...PET, name: 'Listed' });
  await send('PUT', `/v1/pets/${revised}`, { ...PET, name: 'Revised', status: 'AVAILABLE' });
  await send('PUT', `/v1/pets/${revised}`, { ...PET, name: 'Revised', status: 'NOT_AVAILABLE' });
  await send('DELETE', `/v1/pets/${await create('/v1/pets', { ...PET, name: 'Retired' })}`);
  await create('/v1/pets', { name: 'Smallest', species: 'CAT', ageMonths: 0 });
};

const walkWebhooks = async (walker: Walker, { clock, receiver }: WalkOptions): Promise<void> => {
  const { create, send } = walker;
  const terms = { url: receiver.url, events: ['pet.statusChanged'] };
  const kept = await create('/v1/webhooks', terms);
  const path = `/v1/webhooks/${kept}`;
  await send('POST', `${path}/secret`);
  const { order } = await orderPet(walker, 'Announced');
  const callback = { amount: '250.00', currency: 'USD', timestamp: '2026-01-02T03:04:05Z', callbackUrl: `${receiver.url}/callback` };
  await send('POST', `/v1/orders/${order}`, callback);
  await eventually('the deliveries', async () => {
    clock.advance(1);
    const { json } = await send('GET', `${path}/deliveries`);
    const deliveries = json['data'] as readonly { readonly status: string }[];
    const isCalledBack = receiver.received.some((request) => request.path === '/callback');
    return isCalledBack && deliveries.length >= 2 && deliveries.every(({ status }) => status === 'delivered');
  });
  const revised = { ...terms, events: ['pet.adopted'] };
  // The endpoint is disabled at the end, so that a service that runs on the data sends no webhooks.
  for (const status of ['disabled', 'enabled', 'disabled']) await send('PUT', path, { ...revised, status });
  await send('DELETE', `/v1/webhooks/${await create('/v1/webhooks', { ...terms, events: ['pet.adopted'] })}`);
};

/** Sends every kind of change, so that the log contains every event type that requests cause. */
export const walk = async (options: WalkOptions): Promise<void> => {
  const walker = walkerOn(options);
  await walkPets(walker);
  await walkOrders(walker);
  await walkWebhooks(walker, options);
};

/** The event types that the walk does not cause. `WebhookSlotsCounted` occurs only in stores of early versions. */
export const NOT_WALKED: ReadonlySet<string> = new Set(['WebhookSlotsCounted']);
