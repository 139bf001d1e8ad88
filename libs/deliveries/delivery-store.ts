import type { Documents } from '../eventsourcing/ports/documents.port.js';
import { DELIVERIES, deliveryFromDocument, deliveryDocument, type Delivery, type DeliveryStatus, type StoredDelivery } from './delivery.js';

/** The statuses of a delivery that blocks the later deliveries of its sequence. */
const BLOCKING: readonly DeliveryStatus[] = ['pending', 'waiting', 'parked'];
const PAGE = 100;
/** A limit that exceeds the number of webhook event types per event. */
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

  /** Stores a delivery unless its id exists; returns the stored one. */
  async putNew(delivery: Delivery): Promise<Delivery> {
    const document = deliveryDocument(delivery, 0);
    if (await this.documents.apply([{ kind: 'put', collection: DELIVERIES, document, expected: 'none' }])) return delivery;
    return (await this.read(delivery.id)) ?? delivery;
  }

  /**
   * Replaces a delivery with the result of `change`, unless that is null or the delivery does not exist.
   * Returns the delivery as it is then stored.
   */
  async change(id: string, change: (delivery: Delivery) => Delivery | null): Promise<Delivery | null> {
    for (;;) {
      const stored = await this.find(id);
      const changed = stored && change(stored.delivery);
      if (!changed) return stored?.delivery ?? null;
      const document = deliveryDocument(changed, stored.revision + 1);
      if (await this.documents.apply([{ kind: 'put', collection: DELIVERIES, document, expected: stored.revision }])) return changed;
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

  /** Finds a delivery with its revision, or null. */
  async find(id: string): Promise<StoredDelivery | null> {
    const document = await this.documents.get(DELIVERIES, id);
    return document && deliveryFromDocument(document);
  }
}
