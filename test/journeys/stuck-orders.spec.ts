import { describe, expect, it } from '@jest/globals';
import type { StuckItem, StuckList } from '../../apps/api/ops/stuck/stuck.dto.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import { ordersProjection } from '../../libs/projections/orders.projection.js';
import type { Clock } from '../../libs/eventsourcing/ports/clock.port.js';
import { manualClock, type ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import { encodeNext } from '../http/altered-histories.js';
import { newFolder } from '../servers/data-folder.js';
import { openReceiver } from '../servers/receiver.js';
import { oneStoreAtATime, type InProcessPetstore } from './in-process-petstore.js';

const { start, close } = oneStoreAtATime();

const CARD = { object: 'card', number: '4242424242424242', expMonth: 12, expYear: 2090 };
const SLOW_CARD = { ...CARD, number: '4000000000000259' };
/** A gateway that does not answer while the test runs. */
const NEVER = 3_600_000;
const MINUTE = 60_000;

type Ids = { readonly order: string; readonly payment: string };

const orderPet = async ({ call }: InProcessPetstore): Promise<string> => {
  const pet = await call('POST', '/v1/pets', { body: { name: 'Rex', species: 'DOG', ageMonths: 4 } });
  const order = await call('POST', '/v1/orders', { body: { petId: pet.json['id'] } });
  expect(order.status).toBe(201);
  return String(order.json['id']);
};

const payOrder = async (store: InProcessPetstore, source: object): Promise<Ids> => {
  const order = await orderPet(store);
  const { status, json } = await store.call('POST', `/v1/orders/${order}/payment`, { body: { amount: '5.00', currency: 'USD', source } });
  expect(status).toBe(201);
  return { order, payment: String(json['id']) };
};

const approve = async (store: InProcessPetstore): Promise<string> => {
  const { order } = await payOrder(store, CARD);
  // The log says it also while the read model is paused.
  await eventually('the approval', async () =>
    (await store.store.store.readStream(`order-${order}`)).some(({ type }) => type === 'OrderApproved'),
  );
  return order;
};

/** Appends an event that was never written by this service to a payment. */
const append = async (
  clock: Clock,
  { store }: InProcessPetstore,
  payment: string,
  declarations: object,
  type: string,
  data: unknown,
): Promise<void> => {
  const last = (await store.store.readStream(`payment-${payment}`)).at(-1);
  if (!last) throw new Error('the payment has no event');
  const events = await encodeNext(last, { ...DOMAIN_EVENTS, ...declarations }, type, data, clock);
  expect((await store.store.append(last.stream, last.revision, events)).kind).toBe('appended');
};

const stuckIn = async ({ call }: InProcessPetstore, olderThan = 0): Promise<StuckList> =>
  (await call('GET', `/v1/ops/stuck?olderThan=${olderThan}`)).json as unknown as StuckList;

const itemOf = async (clock: ManualClock, store: InProcessPetstore, order: string, kind: string, cause: string): Promise<StuckItem> =>
  eventually(`${kind} of ${order} because of ${cause}`, async () => {
    clock.advance(500);
    return (await stuckIn(store)).items.find((item) => item.stream === `order-${order}` && item.kind === kind && item.cause === cause);
  });

/** Proves contract 43.9. */
describe('orders that are stuck', () => {
  it('are listed with why, whatever holds them, and no other', async () => {
    const receiver = await openReceiver();
    receiver.respondWith(() => ({ status: 500 }));
    const clock = manualClock();
    const folder = newFolder();
    const startStore = () => start(folder, { clock, slowMilliseconds: NEVER }, { ORDER_HOLD: '2s', WEBHOOK_RETRY_DELAYS: '0s' });
    const endCalls = async (): Promise<void> => {
      let isClosed = false;
      const closed = close().then(() => (isClosed = true));
      await eventually('the gateway to answer', () => {
        clock.advance(MINUTE);
        return Promise.resolve(isClosed);
      });
      await closed;
    };
    try {
      const earlier = await startStore();
      const brokenProcess = await payOrder(earlier, SLOW_CARD);
      await append(clock, earlier, brokenProcess.payment, {}, 'PaymentSucceeded', null);
      // The next process has nothing of the payment in memory.
      await endCalls();
      const store = await startStore();
      const { call } = store;
      const healthy = await approve(store);
      const parkedStream = await payOrder(store, SLOW_CARD);
      await append(clock, store, parkedStream.payment, { PaymentDoubted: { schemaVersion: 1, upcasters: {} } }, 'PaymentDoubted', {});
      const gateway = await payOrder(store, SLOW_CARD);
      const deadReceiver = await approve(store);
      const callback = { amount: '5.00', currency: 'USD', timestamp: '2026-01-02T03:04:05Z', callbackUrl: `${receiver.url}/callbacks` };
      expect((await call('POST', `/v1/orders/${deadReceiver}`, { body: callback })).status).toBe(201);
      const lostTimer = await orderPet(store);
      await store.store.documents.apply([{ kind: 'delete', collection: ordersProjection.collection, key: lostTimer }]);
      expect((await call('POST', '/v1/ops/projections/orders/pause', { body: {} })).status).toBe(204);
      const paused = await orderPet(store);
      const paidMeanwhile = await approve(store);

      expect(await itemOf(clock, store, brokenProcess.order, 'order-not-approved', 'parked')).toMatchObject({
        why: expect.stringContaining(`processes has parked payment-${brokenProcess.payment} at revision 1: `),
        helps: `install a release that handles the event, then: petstore retry processes payment-${brokenProcess.payment}`,
      });
      expect(await itemOf(clock, store, parkedStream.order, 'payment-processing', 'broken')).toMatchObject({
        why: expect.stringContaining('PaymentDoubted'),
        related: [`payment-${parkedStream.payment}`],
      });
      expect(await itemOf(clock, store, gateway.order, 'payment-processing', 'gateway')).toMatchObject({
        why: expect.stringMatching(/^the payment gateway has not answered: (one call|\d calls) so far/),
      });
      expect(await itemOf(clock, store, deadReceiver, 'delivery-given-up', 'receiver')).toMatchObject({
        why: `the callback of order ${deadReceiver} has accepted none of the attempts (last: status 500)`,
      });
      for (const order of [lostTimer, paused])
        expect(await itemOf(clock, store, order, 'order-not-expired', 'paused')).toMatchObject({
          why: 'staff has paused the read model orders, by which it is found',
          helps: 'petstore projections resume orders',
        });
      const all = await stuckIn(store);
      const streams = all.items.map(({ stream }) => stream);
      expect(streams).not.toContain(`order-${healthy}`);
      // The read model shows it as unpaid, and its streams as approved.
      expect(streams).not.toContain(`order-${paidMeanwhile}`);
      expect(all).toMatchObject({ count: 6, isComplete: true });
      expect(all.kinds.map(({ kind, count }) => [kind, count])).toEqual([
        ['payment-processing', 2],
        ['order-not-approved', 1],
        ['order-not-expired', 2],
        ['delivery-given-up', 1],
      ]);
      expect((await stuckIn(store, 3_600)).items.map(({ stream }) => stream)).toEqual([`order-${brokenProcess.order}`]);

      expect((await call('POST', '/v1/ops/projections/orders/resume', { body: {} })).status).toBe(204);
      await eventually('the order that a timer finds to expire', async () => {
        clock.advance(500);
        return (await stuckIn(store)).items.every(({ stream }) => stream !== `order-${paused}`);
      });
      expect(await itemOf(clock, store, lostTimer, 'order-not-expired', 'unknown')).toMatchObject({
        why: 'no timer has ended it: no process with the role timers runs, or it fails',
      });
    } finally {
      await endCalls();
      await receiver.close();
    }
  });
});
