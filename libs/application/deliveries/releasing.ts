import type { Work } from '../../eventsourcing/work-queue.port.js';
import type { Webhook } from '../../projections/webhooks.projection.js';
import { WEBHOOKS } from '../aggregates.js';
import { viewFromLog } from '../views.js';
import type { Announcing } from './announcing.js';
import type { Delivery } from './delivery.js';
import type { Endpoint } from './endpoints.js';
import { laneOfEndpoint } from './lanes.js';
import { redeliveryWork } from './redelivery.js';
import { workOf } from './sending.js';

/** The work that letting go of an endpoint's waiting deliveries is: once for each state of the endpoint. */
export const releaseWork = (endpoint: Pick<Endpoint, 'tenant' | 'id'>, etag: string): Work =>
  redeliveryWork(`${endpoint.id}:release:${etag}`, laneOfEndpoint(endpoint), { kind: 'release', webhookId: endpoint.id });

/** Has all be tried that waits for its turn at an endpoint that asks for no order any more: it may be done again from any point. */
export const release = async (announcing: Announcing, webhookId: string): Promise<void> => {
  while (await isUnordered(announcing, webhookId)) {
    const waiting = await announcing.deliveries.some(webhookId, 'waiting');
    if (waiting.length === 0) return;
    for (const delivery of waiting) await letGo(announcing, delivery);
  }
};

/** As its log says: the read model may not have heard of it. */
const isUnordered = async (announcing: Announcing, webhookId: string): Promise<boolean> => {
  const view = await viewFromLog(announcing, WEBHOOKS.projection, webhookId);
  return view !== null && !(JSON.parse(view.json) as Webhook).ordered;
};

/** Its work comes first: a process that dies between the two finds it waiting still. */
const letGo = async ({ deliveries, work, clock }: Announcing, waiting: Delivery): Promise<void> => {
  const now = clock.now();
  await work.enqueue(workOf(waiting), now);
  await deliveries.change(waiting.id, (delivery) =>
    delivery.status === 'waiting' && delivery.round === waiting.round
      ? { ...delivery, sequence: null, status: 'pending', nextAttemptAt: now.toISOString() }
      : null,
  );
};
