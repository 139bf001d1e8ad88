import type { PaymentEvent } from '../../domain/payments/payment.events.js';
import { messageContract, messageSpec } from '../message-contract.js';
import { constantValue, currency, id, money, object, text } from '../message-schema.js';

const paymentId = id('The payment', '01a0e5b0-0000-7000-8000-000000000003');
const orderId = id('The order that the payment is for', '01a0e5b0-0000-7000-8000-000000000002');

/** The public messages of payments. They omit the source and the gateway's reference (contract 15.8). */
export const paymentMessages = messageContract<PaymentEvent>('payment', 'payments', {
  PaymentRequested: messageSpec(
    'A payment was requested and is processing.',
    object({
      paymentId,
      orderId,
      status: constantValue('processing', 'The status of the payment'),
      amount: money('The amount', '180.00'),
      currency: currency('The currency of the amount', 'EUR'),
    }),
    ({ orderId, amount, currency }, paymentId) => ({ paymentId, orderId, status: 'processing', amount, currency }),
  ),
  PaymentSucceeded: messageSpec(
    'The payment succeeded.',
    object({ paymentId, orderId, status: constantValue('succeeded', 'The status of the payment') }),
    ({ orderId }, paymentId) => ({ paymentId, orderId, status: 'succeeded' }),
  ),
  PaymentFailed: messageSpec(
    'The payment failed. The order can be paid again.',
    object({
      paymentId,
      orderId,
      status: constantValue('failed', 'The status of the payment'),
      reason: text(
        'Why the payment failed: `card_declined`, `insufficient_funds`, `processing_error`, `bank_debit_failed` or `instrument_unknown`; other values may be added',
        'card_declined',
        'insufficient_funds',
      ),
    }),
    ({ orderId, reason }, paymentId) => ({ paymentId, orderId, status: 'failed', reason }),
  ),
  PaymentRefunded: messageSpec(
    'The payment was refunded, because its order is cancelled or removed.',
    object({ paymentId, orderId, refunded: constantValue(true, 'The payment is refunded') }),
    ({ orderId }, paymentId) => ({ paymentId, orderId, refunded: true }),
  ),
});
