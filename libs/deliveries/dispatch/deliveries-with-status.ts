import { yieldToEventLoop } from '../../eventsourcing/yield-to-event-loop.js';
import type { Webhook } from '../../projections/webhooks.projection.js';
import type { VerifiedLog } from '../../runtime/codec/verified-history.js';
import type { Delivery, DeliveryStatus } from '../delivery.js';
import { loadWebhook } from '../endpoints.js';
import type { DeliveryStore } from '../delivery-store.js';

/**
 * Iterates over an endpoint's deliveries with a status until none is left, so the caller must change the
 * status of each. It yields to the event loop after each delivery, and stops when `condition` returns false
 * for the endpoint.
 */
export async function* deliveriesWithStatus(
  log: VerifiedLog & { readonly deliveries: DeliveryStore },
  webhookId: string,
  status: DeliveryStatus,
  condition: (webhook: Webhook) => boolean,
): AsyncGenerator<Delivery> {
  const { deliveries } = log;
  for (let page = await deliveries.findPage(webhookId, status); page.length > 0; page = await deliveries.findPage(webhookId, status)) {
    for (const delivery of page) {
      const webhook = await loadWebhook(log, webhookId);
      if (!webhook || !condition(webhook)) return;
      yield delivery;
      await yieldToEventLoop();
    }
  }
}
