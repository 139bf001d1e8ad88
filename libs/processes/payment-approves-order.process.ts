import type { PaymentId } from '../domain/ids.js';
import type { PaymentEvent } from '../domain/payments/payment.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

/**
 * Approves the order of a payment that succeeded (contract 15.10). After a failed payment, records the failure on the order,
 * so that another payment of the order can start (contract 15.4).
 */
export const paymentApprovesOrder: Process<PaymentEvent, ProcessCommand> = {
  name: 'payment-approves-order',
  on: {
    PaymentSucceeded: ({ data: { orderId }, meta }) => {
      const paymentId = aggregateIdOf(meta.stream) as PaymentId;
      // The approval is rejected if the order was cancelled or removed. The payment is then refunded (contract 15.10).
      const otherwise = { type: 'RefundPayment', data: { paymentId } } as const;
      return [{ type: 'ApproveOrder', data: { orderId, paymentId }, otherwise }];
    },
    PaymentFailed: ({ data: { orderId, reason }, meta }) => [
      { type: 'FailOrderPayment', data: { orderId, paymentId: aggregateIdOf(meta.stream) as PaymentId, reason } },
    ],
  },
};

/** Records the refund of a payment on its order, so that the order's own events tell what happened to its payment (contract 13.2). */
export const paymentRefundShowsOnOrder: Process<PaymentEvent, ProcessCommand> = {
  name: 'payment-refund-shows-on-order',
  on: {
    PaymentRefunded: ({ data: { orderId }, meta }) => [
      { type: 'RecordOrderRefund', data: { orderId, paymentId: aggregateIdOf(meta.stream) as PaymentId } },
    ],
  },
};
