import type { Payment } from './payments.projection.js';
import type { StoredDocument } from '../eventsourcing/ports/documents.port.js';

/** A receipt as it goes out. */
export type Receipt = {
  readonly receiptId: string;
  readonly receiptUrl: string;
  readonly orderId: string;
  readonly paymentId: string;
  readonly amount: string;
  readonly currency: string;
  readonly source: Payment['source'];
  readonly paidAt: string;
  readonly generatedAt: string;
};

/** A document of a read model, whatever its revision. */
type Shown = Pick<StoredDocument, 'key' | 'json' | 'fields'>;

/**
 * The receipt of a paid order, from the order and its payment as they are shown; null for any other: "the receipt … is
 * 404 until approved".
 */
export const receiptOf = (order: Shown, payment: Shown, publicUrl: string): Receipt | null => {
  const { paymentId, approvedAt } = order.fields;
  if (paymentId !== payment.key || typeof approvedAt !== 'string') return null;
  const { amount, currency, source } = JSON.parse(payment.json) as Payment;
  return {
    // One payment, one receipt: the payment's id names it.
    receiptId: paymentId,
    receiptUrl: `${publicUrl}/v1/orders/${order.key}/receipt`,
    orderId: order.key,
    paymentId,
    amount,
    currency,
    source,
    paidAt: String(payment.fields['settledAt']),
    generatedAt: approvedAt,
  };
};
