import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteDelivered } from '../../libs/application/deliveries/delete-delivered.js';
import { prepareDeliveries } from '../../libs/deliveries/collections.js';
import { DELIVERIES, type Delivery } from '../../libs/deliveries/delivery.js';
import { DeliveryStore } from '../../libs/deliveries/delivery-store.js';
import { pendingDelivery, WEBHOOK } from '../../libs/deliveries/deliveries.fixtures.js';
import type { Documents } from '../../libs/eventsourcing/ports/documents.port.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';

/** Documents, and a function that closes them. */
type DocumentsUnderTest = { readonly documents: Documents; readonly close: () => Promise<void> };

const DAY = 86_400_000;
const NOW = Date.parse('2026-03-01T00:00:00.000Z');
const daysAgo = (days: number): string => new Date(NOW - days * DAY).toISOString();

/** A delivery that was created `created` days ago and delivered `delivered` days ago. */
export const deliveredDelivery = (id: string, created: number, delivered: number): Delivery =>
  pendingDelivery(id, {
    ...{ status: 'delivered', nextAttemptAt: null, createdAt: daysAgo(created) },
    attempts: [{ at: daysAgo(delivered), url: 'https://shop.example.com', durationMilliseconds: 0, status: 204 }],
  });

/** The contract of deleting old deliveries, which every Documents adapter must fulfil. */
export const deliveryRetentionContract = (name: string, make: () => Promise<DocumentsUnderTest>): void => {
  /** Proves contract 20.13 and contract 23.9. */
  describe(`${name} with old deliveries`, () => {
    const clock = manualClock(NOW);
    let documents: Documents;
    let close: () => Promise<void>;
    let store: DeliveryStore;
    let counts: number[];
    beforeEach(async () => {
      ({ documents, close } = await make());
      await prepareDeliveries(documents);
      store = new DeliveryStore(documents);
      counts = [];
    });
    afterEach(() => close());

    const run = (on = documents): Promise<void> =>
      deleteDelivered({
        ...{ clock, documents: on, deliveryRetentionMilliseconds: 30 * DAY },
        onDeliveriesDeleted: (count) => void counts.push(count),
      });
    const listed = async (): Promise<readonly string[]> =>
      (await documents.find(DELIVERIES, { where: { owner: WEBHOOK }, sort: ['createdAt'], limit: 1_000, offset: 0 })).map(({ key }) => key);
    const putAll = async (deliveries: readonly Delivery[]): Promise<void> => {
      for (const delivery of deliveries) await store.putNew(delivery);
    };

    it('deletes the deliveries that were delivered before the retention period, whenever they were created', async () => {
      await putAll([deliveredDelivery('redelivered', 90, 1), deliveredDelivery('old', 40, 31), deliveredDelivery('at the limit', 40, 30)]);
      await putAll([deliveredDelivery('recent', 29, 29), pendingDelivery('pending'), pendingDelivery('parked', { status: 'parked' })]);
      await run();
      expect([(await listed()).toSorted(), counts]).toEqual([['parked', 'pending', 'recent', 'redelivered'], [2]]);
      await run();
      expect(counts).toEqual([2]);
    });

    it('deletes many deliveries in portions, also if kept ones have the same creation time', async () => {
      const deliveries = Array.from({ length: 350 }, (_, n) => deliveredDelivery(`d${n}`, n < 300 ? 50 : 40, n % 3 === 0 ? 1 : 35));
      await putAll(deliveries);
      await run();
      expect([counts, (await listed()).length]).toEqual([[233], 117]);
    });

    it('deletes each delivery once when several processes delete at the same time', async () => {
      await putAll(Array.from({ length: 150 }, (_, n) => deliveredDelivery(`d${n}`, 40, 35)));
      await Promise.all([run(), run(), run()]);
      expect([counts.reduce((sum, count) => sum + count, 0), await listed()]).toEqual([150, []]);
    });

    it('keeps a delivery that a redelivery changes after it was read, and deletes the others', async () => {
      await putAll([deliveredDelivery('a', 40, 35), deliveredDelivery('b', 41, 35)]);
      const find: Documents['find'] = async (...query) => {
        const found = await documents.find(...query);
        await store.change('a', (delivery) => ({ ...delivery, status: 'pending' }));
        return found;
      };
      await run(
        new Proxy(documents, {
          get: (target, key) => (key === 'find' ? find : (Reflect.get(target, key) as Documents['get']).bind(target)),
        }),
      );
      expect([await listed(), counts]).toEqual([['a'], [1]]);
    });

    it('removes the body, the attempts and the callback address, and creates no other delivery with the same id', async () => {
      const delivery = deliveredDelivery('d', 40, 35);
      const target = { kind: 'callback', orderId: 'order', requestId: 'request', url: 'https://shop.example.com/callback' } as const;
      await putAll([
        { ...delivery, body: '{"secret":1}' },
        { ...deliveredDelivery('callback', 40, 35), target },
      ]);
      await run();
      expect(counts).toEqual([2]);
      for (const key of ['d', 'callback']) expect((await documents.get(DELIVERIES, key))?.json).not.toMatch(/secret|shop.example.com/);
      expect([await store.read('d'), (await store.putNew(pendingDelivery('d'))).status, await listed()]).toEqual([null, 'delivered', []]);
    });

    it('restores a deleted delivery for a later redelivery, but not for the redelivery that sent it before', async () => {
      const delivery = { ...deliveredDelivery('d', 40, 35), round: 2, redeliveryId: 'second' };
      await putAll([delivery]);
      await run();
      await store.restore(pendingDelivery('d'), 'second');
      expect(await store.read('d')).toBeNull();
      await store.restore(pendingDelivery('d'), 'third');
      expect([(await store.read('d'))?.round, await listed()]).toEqual([2, ['d']]);
    });
  });
};
