import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import type { Webhook } from '../../projections/webhooks.projection.js';
import type { DocumentFolds } from '../announce/event-context.js';
import type { Delivery, DeliveryStatus } from '../delivery.js';
import { loadWebhook } from '../endpoints.js';
import type { DeliveryStore } from '../delivery-store.js';

/**
 * Yields an endpoint's deliveries with a status until none is left. The caller must change the status of each delivery:
 * otherwise the iteration never ends. It ends early if the endpoint is removed, or if `condition` returns false for the
 * endpoint.
 */
export async function* deliveriesWithStatus(
  { folds, deliveries }: { readonly folds: DocumentFolds; readonly deliveries: DeliveryStore },
  webhookId: string,
  status: DeliveryStatus,
  condition: (webhook: Webhook) => boolean,
): AsyncGenerator<Delivery> {
  for (let page = await deliveries.findPage(webhookId, status); page.length > 0; page = await deliveries.findPage(webhookId, status)) {
    for (const delivery of page) {
      const webhook = await loadWebhook(folds, webhookId);
      if (!webhook || !condition(webhook)) return;
      yield delivery;
      await yieldToEventLoop();
    }
  }
}
