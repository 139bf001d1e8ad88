import type { Message } from '../../eventsourcing/message.js';
import type { OrderId, PaymentId } from '../ids.js';
import type { PaymentTerms } from '../payment-terms.js';

export type PaymentCommand =
  | Message<'RequestPayment', { readonly paymentId: PaymentId; readonly orderId: OrderId } & PaymentTerms>
  /** Records the gateway's outcome of the charge. */
  | Message<
      'SettlePayment',
      {
        readonly paymentId: PaymentId;
        readonly outcome: { readonly status: 'succeeded' } | { readonly status: 'failed'; readonly reason: string };
      }
    >
  /** Records that the gateway refunded the payment. */
  | Message<'RecordRefund', { readonly paymentId: PaymentId }>;

/**
 * Commands that need the payment gateway. Domain processes send them. Their handlers call the gateway, and then record the
 * outcome with SettlePayment or RecordRefund.
 */
export type GatewayCommand =
  Message<'ChargePayment', { readonly paymentId: PaymentId }> | Message<'RefundPayment', { readonly paymentId: PaymentId }>;
