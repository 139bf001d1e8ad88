import type { OrderId } from '../domain/ids.js';
import type { OrderEvent } from '../domain/orders/order.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

/**
 * Requests the payment that was started on an order. Usually the HTTP request has already done this, and the command has no
 * effect. If a crash interrupted the HTTP request, the command completes it (contract 24.2).
 */
export const orderPaymentStartedRequestsPayment: Process<OrderEvent, ProcessCommand> = {
  name: 'order-payment-started-requests-payment',
  on: {
    OrderPaymentStarted: ({ data, meta }) => [
      { type: 'RequestPayment', data: { orderId: aggregateIdOf(meta.stream) as OrderId, ...data } },
    ],
  },
};
