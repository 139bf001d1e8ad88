import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { CreateOrder, type NewOrderInput, DeleteOrder, DeliverOrder, ShipOrder } from '../../../libs/application/orders/order.commands.js';
import { ListOrders } from '../../../libs/application/orders/order.queries.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import type { Order as StoredOrder } from '../../../libs/projections/orders.projection.js';
import { PRIVATE_REVALIDATE, sendChanged, sendCreated, sendNoContent, sendRead } from '../http/responses.js';
import type { CallOf, OperationRequest } from '../http/call.js';
import { pageRequest, sendPage } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { OWNER, OWNER_WHEN_STRICT, withScope } from '../http/admission/access.js';
import { Problem } from '../http/problems/problem.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import type { PublicAddress } from '../http/public-address.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { ORDER_HOLD, PUBLIC_ADDRESS } from '../tokens.js';
import { OrderRequest, newOrderInput, Order, OrderCollection, orderFilter, OrderListQuery } from './order.dto.js';
import { NEW_ORDER_EXAMPLE, ORDER_COLLECTION_EXAMPLE, ORDER_EXAMPLE, SHIPPED_ORDER_EXAMPLE } from './order.examples.js';
import { visibleOrder } from './visible-order.js';

/**
 * Returns the input of a new order. By default, its userId is the subject of the token. Throws a 403 problem if the caller
 * may not order for this user (contract 13.4).
 */
const fillInUserId = ({ body, caller, ownerRestriction }: CallOf<{ body: OrderRequest }>): NewOrderInput => {
  const input = newOrderInput(body);
  const userId = input.userId ?? caller?.subject;
  if (ownerRestriction !== null && userId !== ownerRestriction)
    throw new Problem(
      'forbidden',
      `userId "${userId}" is not the subject of the token. Ordering for another user needs the scope write:orders.`,
    );
  return userId === undefined ? input : { ...input, userId };
};

@Controller()
export class OrdersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
    @Inject(ORDER_HOLD) private readonly orderHold: number,
  ) {}

  @Operation({
    id: 'createOrder',
    method: 'POST',
    path: '/v1/orders',
    access: OWNER_WHEN_STRICT,
    tag: 'Orders',
    summary: 'Order a pet',
    description:
      'Reserves the pet. Later changes of its price do not affect the order. An order that is not paid in time (24 hours by default) is cancelled.',
    body: shapeOf(OrderRequest),
    bodyExample: NEW_ORDER_EXAMPLE,
    idempotent: true,
    success: { status: 201, description: 'The order', schema: Order, example: ORDER_EXAMPLE },
    problems: ['pet_not_found', 'pet_not_available', 'price_not_payable'],
  })
  async create({ call }: OperationRequest<{ body: OrderRequest }>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new CreateOrder(fillInUserId(call), call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendCreated(reply, { ...outcome, json: withExpiry(outcome.json, this.orderHold) }, `${this.address.url}/v1/orders/${outcome.id}`);
  }

  @Operation({
    id: 'listOrders',
    method: 'GET',
    path: '/v1/orders',
    // A caller without a staff scope lists only its own orders (contract 13.8).
    access: OWNER,
    tag: 'Orders',
    summary: 'List orders',
    description: 'Newest first. Shows the orders of the token’s subject. With the scope `write:orders`, shows all orders.',
    query: queryShapeOf(OrderListQuery),
    success: { status: 200, description: 'A page of orders', schema: OrderCollection, example: ORDER_COLLECTION_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: OrderListQuery }>, reply: FastifyReply): Promise<void> {
    const { query, tenant, ownerRestriction } = call;
    const { page, limit } = pageRequest(query);
    const filter = orderFilter(query);
    if (ownerRestriction !== null && filter.userId !== undefined && filter.userId !== ownerRestriction)
      throw new Problem(
        'forbidden',
        `userId "${filter.userId}" is not the subject of the token. Listing another user's orders needs the scope write:orders.`,
      );
    const restricted = ownerRestriction === null ? filter : { ...filter, userId: ownerRestriction };
    const found = await this.queries.execute(new ListOrders(restricted, page, limit, tenant));
    const items = found.items.map((json) => withExpiry(json, this.orderHold));
    sendPage(reply, { ...found, items }, query, { url: `${this.address.url}/v1/orders` });
  }

  @Operation({
    id: 'getOrder',
    method: 'GET',
    path: '/v1/orders/{id}',
    access: OWNER_WHEN_STRICT,
    tag: 'Orders',
    summary: 'Read an order',
    description: 'The current state of the order.',
    success: { status: 200, description: 'The order', schema: Order, example: ORDER_EXAMPLE },
    problems: ['order_not_found'],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const { json, etag } = await visibleOrder(this.queries, call);
    sendRead(reply, withExpiry(json, this.orderHold), etag, PRIVATE_REVALIDATE);
  }

  @Operation({
    id: 'deleteOrder',
    method: 'DELETE',
    path: '/v1/orders/{id}',
    access: OWNER_WHEN_STRICT,
    tag: 'Orders',
    summary: 'Delete an order',
    description:
      'Deletes the order, so that it can no longer be read. An order that is not yet shipped is cancelled: its pet is released, and a payment is refunded.',
    conditional: true,
    success: { status: 204, description: 'The order is deleted' },
    problems: ['order_not_found'],
  })
  async delete({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    // The command does not check who owns the order. If `ownerRestriction` is null, the caller may delete any order.
    if (call.ownerRestriction !== null) await visibleOrder(this.queries, call);
    const rejection = await this.commands.execute(new DeleteOrder(call.id, call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendNoContent(reply);
  }

  @Operation({
    id: 'shipOrder',
    method: 'POST',
    path: '/v1/orders/{id}/shipment',
    access: withScope('write:orders'),
    tag: 'Orders',
    summary: 'Ship an order',
    description:
      'Changes the status of an approved order to shipped. If the order has no `shipDate`, the service sets the field to today. ' +
      'The operation ignores a JSON body.',
    conditional: true,
    success: { status: 200, description: 'The order', schema: Order, example: SHIPPED_ORDER_EXAMPLE },
    problems: ['order_not_found', 'order_not_shippable'],
  })
  async ship({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new ShipOrder(call.id, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendChanged(reply, outcome);
  }

  @Operation({
    id: 'deliverOrder',
    method: 'POST',
    path: '/v1/orders/{id}/delivery',
    access: withScope('write:orders'),
    tag: 'Orders',
    summary: 'Deliver an order',
    description: 'Changes the status of a shipped order to delivered, which completes the order. The operation ignores a JSON body.',
    conditional: true,
    success: {
      status: 200,
      description: 'The order',
      schema: Order,
      example: { ...SHIPPED_ORDER_EXAMPLE, status: 'delivered', complete: true },
    },
    problems: ['order_not_found', 'order_not_deliverable'],
  })
  async deliver({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new DeliverOrder(call.id, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendChanged(reply, outcome);
  }
}

/**
 * Adds `expiresAt` to the JSON of an unpaid order. It is computed for each response and stored nowhere, because ORDER_HOLD can be
 * changed at a restart (contract 13.1).
 */
const withExpiry = (json: string, orderHold: number): string => {
  const order = JSON.parse(json) as StoredOrder;
  if (order.status !== 'placed') return json;
  const expiresAt = new Date(Date.parse(order.createdAt) + orderHold).toISOString();
  return JSON.stringify({ ...order, expiresAt });
};
