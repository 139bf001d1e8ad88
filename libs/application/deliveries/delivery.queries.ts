import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import {
  DELIVERIES,
  deliveryFromDocument,
  targetIdOf,
  type Attempt,
  type Delivery,
  type DeliveryStatus,
} from '../../deliveries/delivery.js';
import { findEndpointOfTenant } from '../../deliveries/endpoints.js';
import { DeliveryStore } from '../../deliveries/delivery-store.js';
import { RedeliveryStore } from '../../deliveries/redelivery/redelivery.js';
import { Documents } from '../../eventsourcing/ports/documents.port.js';
import { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { ResultOf, Page, View } from '../request.js';
import { createListedDelivery, deliveryView, redeliveryView } from './delivery-views.js';

export type DeliveryFilter = { readonly status?: DeliveryStatus };

/** A page of an endpoint's deliveries, newest first, without the receivers' responses. Null if the endpoint is missing. */
export class ListDeliveries extends Query<Page | null> {
  constructor(
    readonly webhookId: string,
    readonly filter: DeliveryFilter,
    readonly page: number,
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(
    private readonly documents: Documents,
    private readonly keys: KeyVault,
  ) {}

  async execute({ webhookId, filter, page, limit, tenant }: ListDeliveries): Promise<ResultOf<ListDeliveries>> {
    if (!(await findEndpointOfTenant(this.documents, webhookId, tenant))) return null;
    const where = { owner: webhookId, ...filter };
    const [found, totalItems] = await Promise.all([
      this.documents.find(DELIVERIES, { where, sort: ['-createdAt'], limit, offset: (page - 1) * limit }),
      this.documents.count(DELIVERIES, where),
    ]);
    const items = await Promise.all(found.map((document) => createListedDelivery(this.keys, deliveryFromDocument(document).delivery)));
    return { items: items.map((delivery) => JSON.stringify(delivery)), totalItems };
  }
}

/** A delivery as operators see it, without what is sent. */
export type OperatorsDelivery = Pick<
  Delivery,
  'id' | 'tenant' | 'eventId' | 'eventType' | 'stream' | 'revision' | 'status' | 'parkedBecause' | 'createdAt' | 'nextAttemptAt'
> & { readonly webhookId?: string; readonly orderId?: string; readonly attempts: readonly Omit<Attempt, 'answer'>[] };

/** A page of deliveries, newest first. `next` is the cursor of the next page, null after the last delivery. */
export type OperatorsDeliveries = { readonly data: readonly OperatorsDelivery[]; readonly next: string | null };

/**
 * A page of the deliveries of all tenants with one of these statuses, newest first. `after` is the `next` of the page before. Another
 * text is rejected with null.
 */
export class ListAllDeliveries extends Query<OperatorsDeliveries | null> {
  constructor(
    readonly statuses: readonly DeliveryStatus[],
    readonly after: string | undefined,
    readonly limit: number,
  ) {
    super();
  }
}

/** A cursor: the time and the id of the last delivery of a page. */
const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([0-9a-f-]{36})$/;

@QueryHandler(ListAllDeliveries)
export class ListAllDeliveriesHandler implements IQueryHandler<ListAllDeliveries> {
  constructor(private readonly documents: Documents) {}

  async execute({ statuses, after, limit }: ListAllDeliveries): Promise<ResultOf<ListAllDeliveries>> {
    const [, time, id = ''] = after === undefined ? [] : (CURSOR.exec(after) ?? []);
    if (after !== undefined && time === undefined) return null;
    const pages = await Promise.all(statuses.map((status) => this.newest(status, time === undefined ? null : { time, id }, limit + 1)));
    // A delivery whose status changes between two reads is in both.
    const sorted = [...new Map(pages.flat().map((delivery) => [delivery.id, delivery])).values()].toSorted(newestFirst);
    const data = sorted.slice(0, limit);
    const last = data.at(-1);
    const next = last && sorted.length > limit ? `${last.createdAt}_${last.id}` : null;
    return { data: data.map(operatorsDelivery), next };
  }

  /** Reads deliveries in the order of the index. Those of the same time as the cursor may be before it. */
  private async newest(
    status: DeliveryStatus,
    after: { readonly time: string; readonly id: string } | null,
    limit: number,
  ): Promise<readonly Delivery[]> {
    const where = { status, ...(after && { createdAt: { to: after.time } }) };
    const found: Delivery[] = [];
    // Many may have the time of the cursor: small pages would read them again and again.
    const batch = after ? Math.max(limit, 500) : limit;
    for (let offset = 0; found.length < limit; offset += batch) {
      const page = await this.documents.find(DELIVERIES, { where, sort: ['-createdAt', 'key'], limit: batch, offset });
      for (const document of page) {
        const { delivery } = deliveryFromDocument(document);
        if (!after || delivery.createdAt < after.time || delivery.id > after.id) found.push(delivery);
      }
      if (page.length < batch) break;
    }
    return found;
  }
}

const newestFirst = (one: Delivery, other: Delivery): number =>
  one.createdAt === other.createdAt ? (one.id < other.id ? -1 : 1) : one.createdAt > other.createdAt ? -1 : 1;

const operatorsDelivery = ({ id, tenant, target, eventId, eventType, stream, revision, ...delivery }: Delivery): OperatorsDelivery => {
  const { status, parkedBecause, createdAt, nextAttemptAt, attempts } = delivery;
  return {
    id,
    tenant,
    ...(target.kind === 'webhook' ? { webhookId: target.webhookId } : { orderId: target.orderId }),
    eventId,
    eventType,
    stream,
    revision,
    status,
    ...(parkedBecause && { parkedBecause }),
    createdAt,
    nextAttemptAt: status === 'pending' ? nextAttemptAt : null,
    attempts: attempts.map(({ answer: _, ...attempt }) => attempt),
  };
};

/** One delivery of an endpoint, or null. */
export class GetDelivery extends Query<View | null> {
  constructor(
    readonly webhookId: string,
    readonly id: string,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(GetDelivery)
export class GetDeliveryHandler implements IQueryHandler<GetDelivery> {
  constructor(
    private readonly documents: Documents,
    private readonly keys: KeyVault,
  ) {}

  async execute({ webhookId, id, tenant }: GetDelivery): Promise<ResultOf<GetDelivery>> {
    if (!(await findEndpointOfTenant(this.documents, webhookId, tenant))) return null;
    const stored = await new DeliveryStore(this.documents).find(id);
    if (!stored || targetIdOf(stored.delivery) !== webhookId) return null;
    return deliveryView(this.keys, stored.delivery, stored.revision);
  }
}

/** The progress of a redelivery, or null. */
export class GetRedelivery extends Query<View | null> {
  constructor(
    readonly webhookId: string,
    readonly id: string,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(GetRedelivery)
export class GetRedeliveryHandler implements IQueryHandler<GetRedelivery> {
  constructor(private readonly documents: Documents) {}

  async execute({ webhookId, id, tenant }: GetRedelivery): Promise<ResultOf<GetRedelivery>> {
    const stored = await new RedeliveryStore(this.documents).find(id);
    if (stored?.redelivery.webhookId !== webhookId || stored.redelivery.tenant !== tenant) return null;
    return redeliveryView(stored.redelivery, stored.revision);
  }
}

/** The query handlers of deliveries, for the module. */
export const DELIVERY_QUERY_HANDLERS = [ListDeliveriesHandler, ListAllDeliveriesHandler, GetDeliveryHandler, GetRedeliveryHandler];
