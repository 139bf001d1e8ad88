import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { OrderStatus } from '../../domain/orders/order.events.js';
import { Documents } from '../../eventsourcing/ports/documents.port.js';
import { ORDERS } from '../aggregates.js';
import { pageOf, viewByNumber, viewInTenant } from '../reading.js';
import type { ResultOf, Page, View } from '../request.js';

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
  constructor(private readonly documents: Documents) {}

  async execute({ id, tenant }: GetOrder): Promise<ResultOf<GetOrder>> {
    return viewInTenant(this.documents, ORDERS.projection, id, tenant);
  }
}

/** The order with this number, or null. */
export class GetOrderByNumber extends Query<View | null> {
  constructor(
    readonly number: number,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(GetOrderByNumber)
export class GetOrderByNumberHandler implements IQueryHandler<GetOrderByNumber> {
  constructor(private readonly documents: Documents) {}

  execute({ number, tenant }: GetOrderByNumber): Promise<ResultOf<GetOrderByNumber>> {
    return viewByNumber(this.documents, ORDERS.projection, number, tenant);
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
  constructor(private readonly documents: Documents) {}

  async execute({ filter, page, limit, tenant }: ListOrders): Promise<ResultOf<ListOrders>> {
    // The cells (counters by field values) contain sums of quantities, so the orders themselves are counted. Every filter has
    // an index for the count.
    return pageOf(
      this.documents,
      ORDERS.projection.collection,
      { where: { tenant, ...filter }, sort: ['-placedAt'], page, limit },
      'count',
    );
  }
}

/** The query handlers of orders, for the module. */
export const ORDER_QUERY_HANDLERS = [GetOrderHandler, GetOrderByNumberHandler, ListOrdersHandler];
