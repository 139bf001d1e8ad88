import type { OrderId } from '../../domain/ids.js';
import type { OrderCommand } from '../../domain/orders/order.decider.js';
import type { Execute } from '../../eventsourcing/process.js';
import { ordersProjection } from '../../projections/orders.projection.js';
import { startExpiry, type ExpiryPorts } from '../expire-due.js';

export type OrderExpiry = ExpiryPorts & {
  readonly execute: Execute<Extract<OrderCommand, { type: 'ExpireOrder' }>>;
  readonly orderHoldMilliseconds: number;
};

/**
 * Cancels the orders that have been unpaid for ORDER_HOLD (contract 13.7). The decider rejects the expiry of an order whose
 * payment is processing.
 */
export const startOrderExpiry = ({ execute, orderHoldMilliseconds, ...ports }: OrderExpiry): (() => Promise<void>) =>
  startExpiry(ports, {
    name: 'order',
    actor: 'process:order-expiry',
    collection: ordersProjection.collection,
    status: 'placed',
    since: 'placedAt',
    holdMilliseconds: orderHoldMilliseconds,
    expire: (id, placedBefore, context) => execute({ type: 'ExpireOrder', data: { orderId: id as OrderId, placedBefore } }, context),
  });
