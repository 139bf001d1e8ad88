import type { Message } from '../../eventsourcing/message.js';
import type { OrderId, PaymentId } from '../ids.js';
import type { PaymentTerms } from '../payment-terms.js';

export type PaymentCommand =
  | Message<'RequestPayment', { readonly paymentId: PaymentId; readonly orderId: OrderId } & PaymentTerms>
  /** What the gateway said of the charge. */
  | Message<
      'SettlePayment',
      {
        readonly paymentId: PaymentId;
        readonly outcome: { readonly status: 'succeeded' } | { readonly status: 'failed'; readonly reason: string };
      }
    >
  /** The gateway has given the money back. */
  | Message<'RecordRefund', { readonly paymentId: PaymentId }>;

/** What processes ask for; application turns them into gateway calls and the commands above. */
export type PaymentRequest =
  Message<'ChargePayment', { readonly paymentId: PaymentId }> | Message<'RefundPayment', { readonly paymentId: PaymentId }>;
