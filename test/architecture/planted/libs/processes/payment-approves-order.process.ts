import type { OrderEvent } from '../domain/orders/order.events.js';
export const approve = (event: OrderEvent): string => event.type;
