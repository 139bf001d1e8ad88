import type { Order } from '../../../libs/projections/orders.projection.js';

/**
 * Adds `expiresAt` to the JSON of an unpaid order. It is computed for each response and stored nowhere, because ORDER_HOLD can be
 * changed at a restart (contract 13.1).
 */
export const withExpiry = (json: string, orderHold: number): string => {
  const order = JSON.parse(json) as Order;
  if (order.status !== 'placed') return json;
  const expiresAt = new Date(Date.parse(order.createdAt) + orderHold).toISOString();
  return JSON.stringify({ ...order, expiresAt });
};
