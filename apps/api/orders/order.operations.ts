import type { Operation } from '../http/operation.js';
import { OWNER, OWNER_WHEN_STRICT, withScope } from '../http/pipeline/access.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { NewOrder, OrderListQuery } from './order.dto.js';
import { NEW_ORDER_EXAMPLE, ORDER_COLLECTION_EXAMPLE, ORDER_EXAMPLE } from './order.examples.js';

/** The operations on orders. */
export const ORDER_OPERATIONS = {
  listOrders: {
    method: 'GET',
    path: '/v1/orders',
    // "GET /v1/orders (scope write:orders, or one's own with a user's token)"
    access: OWNER,
    tag: 'Orders',
    summary: 'List orders',
    description: 'Newest first. Shows one’s own orders, or everybody’s with scope write:orders.',
    query: queryShapeOf(OrderListQuery),
    success: { status: 200, description: 'A page of orders', schema: 'OrderCollection', example: ORDER_COLLECTION_EXAMPLE },
    problems: [],
  },
  createOrder: {
    method: 'POST',
    path: '/v1/orders',
    access: OWNER_WHEN_STRICT,
    tag: 'Orders',
    summary: 'Order a pet',
    description:
      'Reserves the pet, so that nobody else can order it, and freezes its price. An order that stays unpaid is cancelled after a while.',
    body: shapeOf(NewOrder),
    bodyExample: NEW_ORDER_EXAMPLE,
    idempotent: true,
    success: { status: 201, description: 'The order', schema: 'Order', example: ORDER_EXAMPLE },
    problems: ['not-found', 'conflict'],
  },
  getOrder: {
    method: 'GET',
    path: '/v1/orders/{id}',
    access: OWNER_WHEN_STRICT,
    tag: 'Orders',
    summary: 'Read an order',
    description: 'The order as it stands now.',
    success: { status: 200, description: 'The order', schema: 'Order', example: ORDER_EXAMPLE },
    problems: ['not-found'],
  },
  deleteOrder: {
    method: 'DELETE',
    path: '/v1/orders/{id}',
    access: OWNER_WHEN_STRICT,
    tag: 'Orders',
    summary: 'Delete an order',
    description:
      'Cancels an order that is not shipped yet: its pet is free again and what was paid is refunded. Afterwards the order is gone from reads.',
    conditional: true,
    success: { status: 204, description: 'The order is gone' },
    problems: ['not-found'],
  },
  shipOrder: {
    method: 'POST',
    path: '/v1/orders/{id}/shipment',
    access: withScope('write:orders'),
    tag: 'Orders',
    summary: 'Ship an order',
    description: 'Moves an approved order on to shipped. An empty shipDate becomes today. No body is read.',
    conditional: true,
    success: { status: 200, description: 'The order', schema: 'Order', example: { ...ORDER_EXAMPLE, status: 'shipped' } },
    problems: ['not-found', 'conflict'],
  },
  deliverOrder: {
    method: 'POST',
    path: '/v1/orders/{id}/delivery',
    access: withScope('write:orders'),
    tag: 'Orders',
    summary: 'Deliver an order',
    description: 'Moves a shipped order on to delivered, which completes it. No body is read.',
    conditional: true,
    success: { status: 200, description: 'The order', schema: 'Order', example: { ...ORDER_EXAMPLE, status: 'delivered', complete: true } },
    problems: ['not-found', 'conflict'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
