import type { Work } from '../../eventsourcing/work-queue.port.js';
import { turn } from '../../eventsourcing/turn.js';
import type { Announcing } from './announcing.js';
import { webhookNow, type Endpoint } from './endpoints.js';
import { laneOfEndpoint } from './lanes.js';
import { redeliveryWork } from './redelivery.js';
import { sendWaiting } from './sending.js';

/** The work that letting go of an endpoint's waiting deliveries is: once for each state of the endpoint. */
export const releaseWork = (endpoint: Pick<Endpoint, 'tenant' | 'id'>, etag: string): Work =>
  redeliveryWork(`${endpoint.id}:release:${etag}`, laneOfEndpoint(endpoint), { kind: 'release', webhookId: endpoint.id });

/** Has all be tried that waits for its turn at an endpoint that asks for no order any more: it may be done again from any point. */
export const release = async (announcing: Announcing, webhookId: string): Promise<void> => {
  const { deliveries } = announcing;
  const isUnordered = async (): Promise<boolean> => (await webhookNow(announcing, webhookId))?.ordered === false;
  for (
    let waiting = await deliveries.some(webhookId, 'waiting');
    waiting.length > 0;
    waiting = await deliveries.some(webhookId, 'waiting')
  ) {
    for (const delivery of waiting) {
      if (!(await isUnordered())) return;
      await sendWaiting(announcing, delivery, { sequence: null });
      await turn();
    }
  }
};
