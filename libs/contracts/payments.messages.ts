import type { PaymentEvent } from '../domain/payments/payment.events.js';
import { messageContract } from './message-contract.js';

/** What outsiders see of payments. With what was paid is not told, nor "the gateway's payment reference: never in a topic". */
export const paymentMessages = messageContract<PaymentEvent>('payment', 'payments', {
  PaymentRequested: ({ orderId, amount, currency }, paymentId) => ({ paymentId, orderId, status: 'processing', amount, currency }),
  PaymentSucceeded: ({ orderId }, paymentId) => ({ paymentId, orderId, status: 'succeeded' }),
  PaymentFailed: ({ orderId, reason }, paymentId) => ({ paymentId, orderId, status: 'failed', reason }),
  PaymentRefunded: ({ orderId }, paymentId) => ({ paymentId, orderId, refunded: true }),
});
