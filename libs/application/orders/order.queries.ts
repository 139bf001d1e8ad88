import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { OrderStatus } from '../../domain/orders/order.events.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { ORDERS } from '../aggregates.js';
import { pageOf, viewInTenant } from '../reading.js';
import type { ResultOf, Page, View } from '../request.js';
import { DOCUMENTS } from '../tokens.js';

/** One order, or null. `fields.userId` is the user who owns it. */
export class GetOrder extends Query<View | null> {
  constructor(
    readonly id: string,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(GetOrder)
export class GetOrderHandler implements IQueryHandler<GetOrder> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ id, tenant }: GetOrder): Promise<ResultOf<GetOrder>> {
    return viewInTenant(this.documents, ORDERS.projection, id, tenant);
  }
}

export type OrderFilter = { readonly status?: OrderStatus; readonly petId?: string; readonly userId?: string };

/** A page of orders, newest first. */
export class ListOrders extends Query<Page> {
  constructor(
    readonly filter: OrderFilter,
    readonly page: number,
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(ListOrders)
export class ListOrdersHandler implements IQueryHandler<ListOrders> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ filter, page, limit, tenant }: ListOrders): Promise<ResultOf<ListOrders>> {
    // The cells contain sums of quantities, so the orders are counted with an index. Every filter has one.
    return pageOf(
      this.documents,
      ORDERS.projection.collection,
      { where: { tenant, ...filter }, sort: ['-placedAt'], page, limit },
      'count',
    );
  }
}

/** The query handlers of orders, for the module. */
export const ORDER_QUERY_HANDLERS = [GetOrderHandler, ListOrdersHandler];
