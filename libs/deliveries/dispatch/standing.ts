import { turn } from '../../eventsourcing/turn.js';
import type { Webhook } from '../../projections/webhooks.projection.js';
import type { VerifiedLog } from '../../runtime/codec/verified-history.js';
import type { Delivery, DeliveryStatus } from '../delivery.js';
import { webhookNow } from '../endpoints.js';
import type { KeptDeliveries } from '../kept-deliveries.js';

/**
 * An endpoint's deliveries of that status, until there are none: the caller changes each it takes. Others have their turn
 * between two of them, and may change the endpoint, so each is given only while `holds` is true of it.
 */
export async function* standing(
  log: VerifiedLog & { readonly deliveries: KeptDeliveries },
  webhookId: string,
  status: DeliveryStatus,
  holds: (webhook: Webhook) => boolean,
): AsyncGenerator<Delivery> {
  const { deliveries } = log;
  for (let page = await deliveries.some(webhookId, status); page.length > 0; page = await deliveries.some(webhookId, status)) {
    for (const delivery of page) {
      const webhook = await webhookNow(log, webhookId);
      if (!webhook || !holds(webhook)) return;
      yield delivery;
      await turn();
    }
  }
}
