import type { PaymentId } from '../domain/ids.js';
import type { PaymentEvent } from '../domain/payments/payment.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

/** "succeeded approves the order"; "After a failure another payment may start". */
export const paymentApprovesOrder: Process<PaymentEvent, ProcessCommand> = {
  name: 'payment-approves-order',
  on: {
    PaymentSucceeded: ({ data: { orderId }, meta }) => {
      const paymentId = aggregateIdOf(meta.stream) as PaymentId;
      // "a payment that succeeds on a cancelled or removed order is refunded"
      const otherwise = { type: 'RefundPayment', data: { paymentId } } as const;
      return [{ type: 'ApproveOrder', data: { orderId, paymentId }, otherwise }];
    },
    PaymentFailed: ({ data: { orderId, reason }, meta }) => [
      { type: 'FailOrderPayment', data: { orderId, paymentId: aggregateIdOf(meta.stream) as PaymentId, reason } },
    ],
  },
};
