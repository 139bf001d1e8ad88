import type { Payment } from './payments.projection.js';
import type { StoredDocument } from '../eventsourcing/ports/documents.port.js';

/** A receipt as the interface returns it. */
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

/** A document of a read model. Its revision is not needed. */
type ReadDocument = Pick<StoredDocument, 'key' | 'json' | 'fields'>;

/** Returns the receipt of an order, or null if the order was not approved by this payment (contract 16.1). */
export const receiptOf = (order: ReadDocument, payment: ReadDocument, publicUrl: string): Receipt | null => {
  const { paymentId, approvedAt } = order.fields;
  if (paymentId !== payment.key || typeof approvedAt !== 'string') return null;
  const { amount, currency, source } = JSON.parse(payment.json) as Payment;
  return {
    // A payment has one receipt, so its id is also the receipt's id.
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
