import type { Work } from '../../eventsourcing/ports/work-queue.port.js';
import type { AnnounceContext } from '../announce/announcer.js';
import type { Endpoint } from '../endpoints.js';
import { laneOfEndpoint } from '../dispatch/lanes.js';
import { redeliveryWork } from './redelivery.js';
import { sendWaiting } from '../dispatch/send.js';
import { deliveriesWithStatus } from '../dispatch/deliveries-with-status.js';

/** The work that letting go of an endpoint's waiting deliveries is: once for each state of the endpoint. */
export const releaseWork = (endpoint: Pick<Endpoint, 'tenant' | 'id'>, etag: string): Work =>
  redeliveryWork(`${endpoint.id}:release:${etag}`, laneOfEndpoint(endpoint), { kind: 'release', webhookId: endpoint.id });

/** Has all be tried that waits for its turn at an endpoint that asks for no order any more: it may be done again from any point. */
export const release = async (announcing: AnnounceContext, webhookId: string): Promise<void> => {
  for await (const delivery of deliveriesWithStatus(announcing, webhookId, 'waiting', ({ ordered }) => !ordered))
    await sendWaiting(announcing, delivery, { sequence: null });
};
