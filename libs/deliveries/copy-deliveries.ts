import type { Clock } from '../eventsourcing/ports/clock.port.js';
import type { Documents } from '../eventsourcing/ports/documents.port.js';
import type { WorkQueue } from '../eventsourcing/ports/work-queue.port.js';
import { prepareDeliveries } from './collections.js';
import { DELIVERIES, deliveryFromDocument, type Delivery } from './delivery.js';
import { DeliveryStore } from './delivery-store.js';
import { storeAndSend, sendStored } from './dispatch/send.js';

/** The store that deliveries are copied to. */
export type CopyTarget = { readonly documents: Documents; readonly work: WorkQueue; readonly clock: Clock };

const PAGE = 500;

/**
 * Copies deliveries to another store. This must happen before the log is copied, so that consumers of the
 * copied log do not send finished deliveries again. It is safe to repeat.
 */
export const copyDeliveries = async (from: Documents, to: CopyTarget): Promise<void> => {
  await prepareDeliveries(to.documents);
  const sending = { deliveries: new DeliveryStore(to.documents), work: to.work, clock: to.clock };
  const sequences = new Map<string, Delivery>();
  for (let offset = 0; ; offset += PAGE) {
    const page = await from.find(DELIVERIES, { where: {}, sort: ['createdAt'], limit: PAGE, offset });
    for (const document of page) {
      const { delivery } = deliveryFromDocument(document);
      if (delivery.sequence === null || delivery.status !== 'waiting') await storeAndSend(sending, delivery);
      else sequences.set(delivery.sequence, await sending.deliveries.putNew(delivery));
    }
    if (page.length < PAGE) break;
  }
  // The next delivery of a sequence is known only once the whole sequence is copied.
  for (const waiting of sequences.values()) await sendStored(sending, waiting);
};
