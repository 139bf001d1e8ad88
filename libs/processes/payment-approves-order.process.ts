import type { PaymentId } from '../domain/ids.js';
import type { PaymentEvent } from '../domain/payments/payment.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

/**
 * Approves the order of a succeeded payment (contract 15.10), and lets another payment start after a failure
 * (contract 15.4).
 */
export const paymentApprovesOrder: Process<PaymentEvent, ProcessCommand> = {
  name: 'payment-approves-order',
  on: {
    PaymentSucceeded: ({ data: { orderId }, meta }) => {
      const paymentId = aggregateIdOf(meta.stream) as PaymentId;
      // The approval is rejected if the order is closed (contract 15.10).
      const otherwise = { type: 'RefundPayment', data: { paymentId } } as const;
      return [{ type: 'ApproveOrder', data: { orderId, paymentId }, otherwise }];
    },
    PaymentFailed: ({ data: { orderId, reason }, meta }) => [
      { type: 'FailOrderPayment', data: { orderId, paymentId: aggregateIdOf(meta.stream) as PaymentId, reason } },
    ],
  },
};
