import { turn } from '../../eventsourcing/turn.js';
import type { Webhook } from '../../projections/webhooks.projection.js';
import type { VerifiedLog } from '../../runtime/codec/verified-history.js';
import type { Delivery, DeliveryStatus } from '../delivery.js';
import { loadWebhook } from '../endpoints.js';
import type { DeliveryStore } from '../delivery-store.js';

/**
 * An endpoint's deliveries of that status, until there are none: the caller changes each it takes. Others have their turn
 * between two of them, and may change the endpoint, so each is given only while `holds` is true of it.
 */
export async function* deliveriesWithStatus(
  log: VerifiedLog & { readonly deliveries: DeliveryStore },
  webhookId: string,
  status: DeliveryStatus,
  holds: (webhook: Webhook) => boolean,
): AsyncGenerator<Delivery> {
  const { deliveries } = log;
  for (let page = await deliveries.findPage(webhookId, status); page.length > 0; page = await deliveries.findPage(webhookId, status)) {
    for (const delivery of page) {
      const webhook = await loadWebhook(log, webhookId);
      if (!webhook || !holds(webhook)) return;
      yield delivery;
      await turn();
    }
  }
}
