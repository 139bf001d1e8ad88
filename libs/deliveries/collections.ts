import type { Documents } from '../eventsourcing/ports/documents.port.js';
import { DELIVERIES } from './delivery.js';
import { FAILING } from './dispatch/failing-endpoints.js';
import { REDELIVERIES, RUNNING_REDELIVERIES } from './redelivery/redelivery.js';

/** The collections of deliveries. They are not read models: the log cannot rebuild them. */
const DELIVERY_COLLECTIONS = [DELIVERIES, REDELIVERIES, RUNNING_REDELIVERIES, FAILING] as const;

/** Creates the collections if they do not exist. Every process that sends or lists deliveries calls this. */
export const prepareDeliveries = async (documents: Documents): Promise<void> => {
  for (const collection of DELIVERY_COLLECTIONS) await documents.prepare(collection);
};
