import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { orderStream, paymentStream, type OrderId } from '../../domain/ids.js';
import type { OrderEvent } from '../../domain/orders/order.events.js';
import { EventCodec } from '../../eventsourcing/event-codec.js';
import { assertNotBroken, StreamFaultLookup } from '../../eventsourcing/history.js';
import { categoryOf } from '../../eventsourcing/message.js';
import { Documents, type StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { receiptOf } from '../../projections/receipt.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { readHistory } from '../../runtime/codec/verified-history.js';
import { ORDERS, PAYMENTS } from '../aggregates.js';
import { viewInTenant } from '../reading.js';
import type { ResultOf, View } from '../request.js';
import { openView, viewOf } from '../views.js';

/** The latest payment attempt of an order, or null. */
export class GetOrderPayment extends Query<View | null> {
  constructor(
    readonly orderId: string,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(GetOrderPayment)
export class GetOrderPaymentHandler implements IQueryHandler<GetOrderPayment> {
  constructor(
    private readonly documents: Documents,
    private readonly keys: KeyVault,
    readonly store: EventStore,
    readonly codec: EventCodec,
    private readonly faults: StreamFaultLookup,
  ) {}

  async execute({ orderId, tenant }: GetOrderPayment): Promise<ResultOf<GetOrderPayment>> {
    const order = await viewInTenant(this.documents, ORDERS.projection, orderId, tenant);
    if (!order) return null;
    await this.assertPaymentsIntact(orderId);
    const where = { tenant, orderId };
    const [latest] = await this.documents.find(PAYMENTS.projection.collection, { where, sort: ['-requestedAt'], limit: 1, offset: 0 });
    return latest ? paymentView(latest, order, this.keys) : null;
  }

  /**
   * Rejects with BrokenHistory if the stream of one of the order's payments is broken. The read model may lack that payment,
   * and would show an earlier payment as the latest one.
   */
  private async assertPaymentsIntact(orderId: string): Promise<void> {
    if (!this.faults.all().some(({ stream }) => categoryOf(stream) === PAYMENTS.category)) return;
    const events = await readHistory(this, orderStream(orderId as OrderId));
    for (const event of events.map((each) => eventOf<OrderEvent>(each)))
      if (event.type === 'OrderPaymentStarted') assertNotBroken(this.faults, paymentStream(event.data.paymentId));
  }
}

/** The receipt of an approved order, or null. `publicUrl` is the beginning of the URL in the receipt. */
export class GetReceipt extends Query<View | null> {
  constructor(
    readonly orderId: string,
    readonly tenant: string,
    readonly publicUrl: string,
  ) {
    super();
  }
}

@QueryHandler(GetReceipt)
export class GetReceiptHandler implements IQueryHandler<GetReceipt> {
  constructor(
    private readonly documents: Documents,
    private readonly keys: KeyVault,
  ) {}

  /** Before the approval, the order has no `paymentId`, so the receipt does not exist (contract 16.1). */
  async execute({ orderId, tenant, publicUrl }: GetReceipt): Promise<ResultOf<GetReceipt>> {
    const order = await viewInTenant(this.documents, ORDERS.projection, orderId, tenant);
    const paymentId = order?.fields['paymentId'];
    if (!order || typeof paymentId !== 'string') return null;
    const document = await this.documents.get(PAYMENTS.projection.collection, paymentId);
    if (!document) return null;
    const payment = await paymentView(document, order, this.keys);
    const receipt = receiptOf({ ...order, key: order.id }, { ...document, json: payment.json }, publicUrl);
    return receipt && { ...payment, json: JSON.stringify(receipt) };
  }
}

/**
 * Returns the view of a payment. The entity tag starts with the payment's id (contract 8.1). `fields` are those of the order,
 * because only they name the owner of the payment.
 */
const paymentView = async (document: StoredDocument, order: View, keys: KeyVault): Promise<View> => {
  const view = await openView(keys, viewOf(document, PAYMENTS.projection));
  return { ...view, etag: `${view.id}.${view.etag}`, fields: order.fields };
};

/** The query handlers of payments, for the module. */
export const PAYMENT_QUERY_HANDLERS = [GetOrderPaymentHandler, GetReceiptHandler];
