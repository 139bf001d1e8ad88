import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DELIVERIES, deliveryFromDocument, targetIdOf, type DeliveryStatus } from '../../deliveries/delivery.js';
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
export const DELIVERY_QUERY_HANDLERS = [ListDeliveriesHandler, GetDeliveryHandler, GetRedeliveryHandler];
