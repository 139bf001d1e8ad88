import type { Work } from '../../eventsourcing/ports/work-queue.port.js';
import type { AnnounceContext } from '../announce/announcer.js';
import type { Endpoint } from '../endpoints.js';
import { laneOfEndpoint } from '../dispatch/lanes.js';
import { redeliveryWork } from './redelivery.js';
import { sendWaiting } from '../dispatch/send.js';
import { deliveriesWithStatus } from '../delivery-store.js';

/**
 * Builds the work that releases an endpoint's waiting deliveries. The id of the work contains the entity tag of the endpoint, so
 * each version of the endpoint has its own work.
 */
export const releaseWork = (endpoint: Pick<Endpoint, 'tenant' | 'id'>, etag: string): Work =>
  redeliveryWork(`${endpoint.id}:release:${etag}`, laneOfEndpoint(endpoint), { kind: 'release', webhookId: endpoint.id });

/**
 * Sends all waiting deliveries of an endpoint that is no longer ordered. Can be called again after a crash at any point.
 */
export const release = async (context: AnnounceContext, webhookId: string): Promise<void> => {
  for await (const delivery of deliveriesWithStatus(context, webhookId, 'waiting', ({ ordered }) => !ordered))
    await sendWaiting(context, delivery, { sequence: null });
};
