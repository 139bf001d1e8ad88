import type { Documents } from '../eventsourcing/ports/documents.port.js';
import { DELIVERIES } from './delivery.js';
import { FAILING } from './dispatch/failing-endpoints.js';
import { REDELIVERIES, RUNNING_REDELIVERIES } from './redelivery/redelivery.js';

/** What is known of deliveries and stands nowhere else: no read model, so no rebuild may forget it. */
const DELIVERY_COLLECTIONS = [DELIVERIES, REDELIVERIES, RUNNING_REDELIVERIES, FAILING] as const;

/** Makes places ready for them; for every process that sends, or shows what was sent. */
export const prepareDeliveries = async (documents: Documents): Promise<void> => {
  for (const collection of DELIVERY_COLLECTIONS) await documents.prepare(collection);
};
