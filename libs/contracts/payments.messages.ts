import type { PaymentEvent } from '../domain/payments/payment.events.js';
import { messageContract, told } from './message-contract.js';
import { always, currency, id, money, object, text } from './message-schema.js';

const paymentId = id('The payment', '01a0e5b0-0000-7000-8000-000000000003');
const orderId = id('The order that is paid', '01a0e5b0-0000-7000-8000-000000000002');

/** What outsiders see of payments. With what was paid is not told, nor "the gateway's payment reference: never in a topic". */
export const paymentMessages = messageContract<PaymentEvent>('payment', 'payments', {
  PaymentRequested: told(
    'A payment was asked for, and is being charged.',
    object({
      paymentId,
      orderId,
      status: always('processing', 'What the payment is now'),
      amount: money('What is paid', '180.00'),
      currency: currency('Of the amount', 'EUR'),
    }),
    ({ orderId, amount, currency }, paymentId) => ({ paymentId, orderId, status: 'processing', amount, currency }),
  ),
  PaymentSucceeded: told(
    'The payment went through.',
    object({ paymentId, orderId, status: always('succeeded', 'What the payment is now') }),
    ({ orderId }, paymentId) => ({ paymentId, orderId, status: 'succeeded' }),
  ),
  PaymentFailed: told(
    'The payment was refused; the order may be paid again.',
    object({
      paymentId,
      orderId,
      status: always('failed', 'What the payment is now'),
      reason: text(
        'Why: `card_declined`, `insufficient_funds`, `processing_error`, `bank_debit_failed` or `instrument_unknown`; others may come',
        'card_declined',
        'insufficient_funds',
      ),
    }),
    ({ orderId, reason }, paymentId) => ({ paymentId, orderId, status: 'failed', reason }),
  ),
  PaymentRefunded: told(
    'The money went back, since the order no longer stands.',
    object({ paymentId, orderId, refunded: always(true, 'It was given back') }),
    ({ orderId }, paymentId) => ({ paymentId, orderId, refunded: true }),
  ),
});
