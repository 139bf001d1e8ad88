import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { ORDERS } from '../aggregates.js';
import { pageOf, viewInTenant } from '../reading.js';
import type { AnswerOf } from '../request.js';
import { DOCUMENTS } from '../tokens.js';
import { GetOrder, ListOrders } from './order.requests.js';

@QueryHandler(GetOrder)
export class GetOrderHandler implements IQueryHandler<GetOrder> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ id, tenant }: GetOrder): Promise<AnswerOf<GetOrder>> {
    return viewInTenant(this.documents, ORDERS.projection, id, tenant);
  }
}

@QueryHandler(ListOrders)
export class ListOrdersHandler implements IQueryHandler<ListOrders> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ filter, page, limit, tenant }: ListOrders): Promise<AnswerOf<ListOrders>> {
    // Cells hold quantities, not orders, so the total is counted; an index carries every filter.
    return pageOf(
      this.documents,
      ORDERS.projection.collection,
      { where: { tenant, ...filter }, sort: ['-placedAt'], page, limit },
      'count',
    );
  }
}
