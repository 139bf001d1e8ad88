import type { Documents } from '../eventsourcing/ports/documents.port.js';
import { DELIVERIES, deliveryFromDocument, deliveryDocument, type Delivery, type DeliveryStatus, type StoredDelivery } from './delivery.js';

/** What is not over, and so comes before whatever follows it in its sequence. */
const OPEN: readonly DeliveryStatus[] = ['pending', 'waiting', 'parked'];
const PAGE = 100;
/** More than the names under which one event is told. */
const NAMES = 10;

/** The deliveries as they stand. A change builds on the revision that was read: of two changes at once none is lost. */
export class DeliveryStore {
  constructor(private readonly documents: Documents) {}

  async read(id: string): Promise<Delivery | null> {
    return (await this.find(id))?.delivery ?? null;
  }

  /** Puts a delivery unless there is one of that id; answers the one there is. */
  async putNew(delivery: Delivery): Promise<Delivery> {
    const document = deliveryDocument(delivery, 0);
    if (await this.documents.apply([{ kind: 'put', collection: DELIVERIES, document, expected: 'none' }])) return delivery;
    return (await this.read(delivery.id)) ?? delivery;
  }

  /** Changes a delivery, unless `change` answers null or there is none; answers how it stands then. */
  async change(id: string, change: (delivery: Delivery) => Delivery | null): Promise<Delivery | null> {
    for (;;) {
      const kept = await this.find(id);
      const changed = kept && change(kept.delivery);
      if (!changed) return kept?.delivery ?? null;
      const document = deliveryDocument(changed, kept.revision + 1);
      if (await this.documents.apply([{ kind: 'put', collection: DELIVERIES, document, expected: kept.revision }])) return changed;
    }
  }

  /**
   * The delivery whose turn it is in a sequence; null when nothing of it is open. Where one event is told under several
   * names, the one that is on its way, or parked, comes before those that wait.
   */
  async firstOpen(sequence: string): Promise<Delivery | null> {
    const where = { sequence, status: { in: OPEN } };
    const found = await this.documents.find(DELIVERIES, { where, sort: ['place'], limit: NAMES, offset: 0 });
    const [first, ...others] = found.map((document) => deliveryFromDocument(document).delivery);
    if (!first) return null;
    return [first, ...others].find(({ status, revision }) => status !== 'waiting' && revision === first.revision) ?? first;
  }

  /** Some of an endpoint's deliveries of that status. */
  async some(webhookId: string, status: DeliveryStatus): Promise<readonly Delivery[]> {
    const where = { owner: webhookId, status };
    const found = await this.documents.find(DELIVERIES, { where, sort: ['-createdAt'], limit: PAGE, offset: 0 });
    return found.map((document) => deliveryFromDocument(document).delivery);
  }

  /** A delivery with its revision, or null. */
  async find(id: string): Promise<StoredDelivery | null> {
    const document = await this.documents.get(DELIVERIES, id);
    return document && deliveryFromDocument(document);
  }
}
