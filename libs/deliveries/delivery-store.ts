import type { Documents } from '../eventsourcing/ports/documents.port.js';
import {
  DELIVERIES,
  deleted,
  deliveryFromDocument,
  deliveryDocument,
  type Delivery,
  type DeliveryStatus,
  type StoredDelivery,
} from './delivery.js';
import { yieldToEventLoop } from '../eventsourcing/scheduling/yield-to-event-loop.js';
import type { Webhook } from '../projections/webhooks.projection.js';
import type { DocumentFolds } from './announce/event-context.js';
import { loadWebhook } from './endpoints.js';

/** The statuses in which a delivery blocks the later deliveries of its sequence. */
const BLOCKING: readonly DeliveryStatus[] = ['pending', 'waiting', 'parked'];
const PAGE = 100;
/**
 * The limit of a query for the deliveries of one event to one endpoint. It exceeds their number: an event causes at most one
 * delivery for each webhook event type.
 */
const MAX_TYPES_PER_EVENT = 10;

/**
 * Stores the deliveries. A change is written only if the delivery still has the revision that was read, so no
 * concurrent change is lost.
 */
export class DeliveryStore {
  constructor(private readonly documents: Documents) {}

  async read(id: string): Promise<Delivery | null> {
    return (await this.find(id))?.delivery ?? null;
  }

  /** Reads a delivery even if it is deleted. Only delivered deliveries are deleted. */
  async readEvenIfDeleted(id: string): Promise<Delivery | null> {
    return (await this.findEvenIfDeleted(id))?.delivery ?? null;
  }

  /** Stores a delivery unless a delivery with its id exists. Returns the stored delivery, even if it is deleted. */
  async putNew(delivery: Delivery): Promise<Delivery> {
    const document = deliveryDocument(delivery, 0);
    if (await this.documents.apply([{ kind: 'put', collection: DELIVERIES, document, expected: 'none' }])) return delivery;
    return (await this.readEvenIfDeleted(delivery.id)) ?? delivery;
  }

  /**
   * Stores a delivery that will be redelivered, if it does not exist or was deleted. Stores nothing if the redelivery
   * `redeliveryId` sent the delivery before its deletion: a repeated call must not send it again.
   */
  async restore(delivery: Delivery, redeliveryId: string): Promise<void> {
    await this.putNew(delivery);
    const stored = await this.findEvenIfDeleted(delivery.id);
    if (stored?.delivery.deletedAt === undefined || stored.delivery.redeliveryId === redeliveryId) return;
    // The round is kept, so that the next round has a new work id. If several processes replace at once, only one succeeds.
    await this.replace(stored, { ...delivery, round: stored.delivery.round });
  }

  /**
   * Deletes delivered deliveries. A delivery that has changed since it was read is skipped: it was redelivered, or another
   * process has deleted it. Returns how many were deleted.
   */
  async delete(delivered: readonly StoredDelivery[], now: Date): Promise<number> {
    let count = 0;
    // Each delivery has its own write. On MongoDB, long transactions of two processes would conflict until both fail.
    for (const stored of delivered) if (await this.replace(stored, deleted(stored.delivery, now))) count++;
    return count;
  }

  /**
   * Replaces a delivery with the result of `change`. If the result is null, changes nothing. After a concurrent change, calls
   * `change` again. Returns the delivery as it is stored, or null if it does not exist or is deleted.
   */
  async change(id: string, change: (delivery: Delivery) => Delivery | null): Promise<Delivery | null> {
    for (;;) {
      const stored = await this.find(id);
      const changed = stored && change(stored.delivery);
      if (!changed) return stored?.delivery ?? null;
      if (await this.replace(stored, changed)) return changed;
    }
  }

  /**
   * Finds the first undelivered delivery of a sequence, or null. Among the deliveries of one event,
   * a pending or parked one comes before the waiting ones.
   */
  async findNextInSequence(sequence: string): Promise<Delivery | null> {
    const where = { sequence, status: { in: BLOCKING } };
    const found = await this.documents.find(DELIVERIES, { where, sort: ['place'], limit: MAX_TYPES_PER_EVENT, offset: 0 });
    const [first, ...others] = found.map((document) => deliveryFromDocument(document).delivery);
    if (!first) return null;
    return [first, ...others].find(({ status, revision }) => status !== 'waiting' && revision === first.revision) ?? first;
  }

  /** Finds a page of an endpoint's deliveries with a status. */
  async findPage(webhookId: string, status: DeliveryStatus): Promise<readonly Delivery[]> {
    const where = { owner: webhookId, status };
    const found = await this.documents.find(DELIVERIES, { where, sort: ['-createdAt'], limit: PAGE, offset: 0 });
    return found.map((document) => deliveryFromDocument(document).delivery);
  }

  /** Finds delivered deliveries that were created in a range of times, both ends included, oldest first. */
  async findDelivered(createdAt: { readonly from?: string; readonly to: string }, limit: number, offset: number) {
    const where = { status: 'delivered', createdAt };
    const found = await this.documents.find(DELIVERIES, { where, sort: ['createdAt'], limit, offset });
    return found.map(deliveryFromDocument);
  }

  /** Finds a delivery with its revision. Returns null if the delivery does not exist or is deleted. */
  async find(id: string): Promise<StoredDelivery | null> {
    const stored = await this.findEvenIfDeleted(id);
    return stored?.delivery.deletedAt === undefined ? stored : null;
  }

  private replace({ revision }: StoredDelivery, delivery: Delivery): Promise<boolean> {
    const document = deliveryDocument(delivery, revision + 1);
    return this.documents.apply([{ kind: 'put', collection: DELIVERIES, document, expected: revision }]);
  }

  private async findEvenIfDeleted(id: string): Promise<StoredDelivery | null> {
    const document = await this.documents.get(DELIVERIES, id);
    return document && deliveryFromDocument(document);
  }
}

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
