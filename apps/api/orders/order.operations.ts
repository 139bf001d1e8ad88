import type { Operation } from '../http/operation.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { NewOrder, OrderListQuery } from './order.dto.js';
import { NEW_ORDER_EXAMPLE, ORDER_COLLECTION_EXAMPLE, ORDER_EXAMPLE } from './order.examples.js';

/** The operations on orders. */
export const ORDER_OPERATIONS = {
  listOrders: {
    method: 'GET',
    path: '/v1/orders',
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
    tag: 'Orders',
    summary: 'Read an order',
    description: 'The order as it stands now.',
    success: { status: 200, description: 'The order', schema: 'Order', example: ORDER_EXAMPLE },
    problems: ['not-found'],
  },
  deleteOrder: {
    method: 'DELETE',
    path: '/v1/orders/{id}',
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
    tag: 'Orders',
    summary: 'Deliver an order',
    description: 'Moves a shipped order on to delivered, which completes it. No body is read.',
    conditional: true,
    success: { status: 200, description: 'The order', schema: 'Order', example: { ...ORDER_EXAMPLE, status: 'delivered', complete: true } },
    problems: ['not-found', 'conflict'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
