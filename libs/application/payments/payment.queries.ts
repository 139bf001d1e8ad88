import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Documents, StoredDocument } from '../../eventsourcing/documents.port.js';
import type { KeyVault } from '../../eventsourcing/key-vault.port.js';
import type { Payment } from '../../projections/payments.projection.js';
import { ORDERS, PAYMENTS } from '../aggregates.js';
import { viewInTenant } from '../reading.js';
import type { AnswerOf, View } from '../request.js';
import { openSealed } from '../sealing.js';
import { DOCUMENTS, KEY_VAULT } from '../tokens.js';
import { viewOf } from '../views.js';
import { GetOrderPayment, GetReceipt } from './payment.requests.js';

@QueryHandler(GetOrderPayment)
export class GetOrderPaymentHandler implements IQueryHandler<GetOrderPayment> {
  constructor(
    @Inject(DOCUMENTS) private readonly documents: Documents,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
  ) {}

  async execute({ orderId, tenant }: GetOrderPayment): Promise<AnswerOf<GetOrderPayment>> {
    const order = await viewInTenant(this.documents, ORDERS.projection, orderId, tenant);
    if (!order) return null;
    const where = { tenant, orderId };
    const [latest] = await this.documents.find(PAYMENTS.projection.collection, { where, sort: ['-requestedAt'], limit: 1, offset: 0 });
    return latest ? paymentView(latest, order, this.keys) : null;
  }
}

@QueryHandler(GetReceipt)
export class GetReceiptHandler implements IQueryHandler<GetReceipt> {
  constructor(
    @Inject(DOCUMENTS) private readonly documents: Documents,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
  ) {}

  /** "the receipt … is 404 until approved" */
  async execute({ orderId, tenant, publicUrl }: GetReceipt): Promise<AnswerOf<GetReceipt>> {
    const order = await viewInTenant(this.documents, ORDERS.projection, orderId, tenant);
    const paymentId = order?.fields['paymentId'];
    if (!order || typeof paymentId !== 'string') return null;
    const document = await this.documents.get(PAYMENTS.projection.collection, paymentId);
    if (!document) return null;
    const payment = await paymentView(document, order, this.keys);
    const { amount, currency, source } = JSON.parse(payment.json) as Payment;
    const receipt = {
      // One payment, one receipt: the payment's id names it.
      receiptId: paymentId,
      receiptUrl: `${publicUrl}/v1/orders/${orderId}/receipt`,
      orderId,
      paymentId,
      amount,
      currency,
      source,
      paidAt: document.fields['settledAt'],
      generatedAt: order.fields['approvedAt'],
    };
    return { ...payment, json: JSON.stringify(receipt) };
  }
}

/** "ETag … payment and receipt prefixed by the payment's id"; its fields are the order's, which say whose it is. */
const paymentView = async (document: StoredDocument, order: View, keys: KeyVault): Promise<View> => {
  const view = viewOf(document, PAYMENTS.projection);
  return { ...view, json: await openSealed(keys, view.json), etag: `${view.id}.${view.etag}`, fields: order.fields };
};
