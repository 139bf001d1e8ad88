import type { OrderId } from '../domain/ids.js';
import type { OrderEvent } from '../domain/orders/order.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

/**
 * Requests every payment that an order has started. Usually the HTTP request has already requested it; after
 * a crash it has not (contract 24.2).
 */
export const orderPaymentStartedRequestsPayment: Process<OrderEvent, ProcessCommand> = {
  name: 'order-payment-started-requests-payment',
  on: {
    OrderPaymentStarted: ({ data, meta }) => [
      { type: 'RequestPayment', data: { orderId: aggregateIdOf(meta.stream) as OrderId, ...data } },
    ],
  },
};
