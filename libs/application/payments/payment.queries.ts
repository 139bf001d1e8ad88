import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { orderStream, paymentStream, type OrderId } from '../../domain/ids.js';
import type { OrderEvent } from '../../domain/orders/order.events.js';
import type { EventCodec } from '../../eventsourcing/handle.js';
import { assertNotBroken, type StreamFaultLookup } from '../../eventsourcing/history.js';
import { categoryOf } from '../../eventsourcing/message.js';
import type { Documents, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { receiptOf } from '../../projections/receipt.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { openSealed } from '../../runtime/codec/sealing.js';
import { historyOf } from '../../runtime/codec/verified-history.js';
import { ORDERS, PAYMENTS } from '../aggregates.js';
import { viewInTenant } from '../reading.js';
import type { AnswerOf, View } from '../request.js';
import { CODEC, DOCUMENTS, EVENT_STORE, KEY_VAULT, KNOWN_FAULTS } from '../tokens.js';
import { viewOf } from '../views.js';

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
    @Inject(DOCUMENTS) private readonly documents: Documents,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(CODEC) readonly codec: EventCodec,
    @Inject(KNOWN_FAULTS) private readonly faults: StreamFaultLookup,
  ) {}

  async execute({ orderId, tenant }: GetOrderPayment): Promise<AnswerOf<GetOrderPayment>> {
    const order = await viewInTenant(this.documents, ORDERS.projection, orderId, tenant);
    if (!order) return null;
    await this.refuseBrokenPayment(orderId);
    const where = { tenant, orderId };
    const [latest] = await this.documents.find(PAYMENTS.projection.collection, { where, sort: ['-requestedAt'], limit: 1, offset: 0 });
    return latest ? paymentView(latest, order, this.keys) : null;
  }

  /** A broken payment is found by nothing: an earlier one, or none, is not the order's latest. */
  private async refuseBrokenPayment(orderId: string): Promise<void> {
    if (!this.faults.all().some(({ stream }) => categoryOf(stream) === PAYMENTS.category)) return;
    const events = await historyOf(this, orderStream(orderId as OrderId));
    for (const event of events.map((each) => eventOf<OrderEvent>(each)))
      if (event.type === 'OrderPaymentStarted') assertNotBroken(this.faults, paymentStream(event.data.paymentId));
  }
}

/** The receipt of an approved order, or null. `publicUrl` starts its address. */
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
    const receipt = receiptOf({ ...order, key: order.id }, { ...document, json: payment.json }, publicUrl);
    return receipt && { ...payment, json: JSON.stringify(receipt) };
  }
}

/** "ETag … payment and receipt prefixed by the payment's id"; its fields are the order's, which say whose it is. */
const paymentView = async (document: StoredDocument, order: View, keys: KeyVault): Promise<View> => {
  const view = viewOf(document, PAYMENTS.projection);
  return { ...view, json: await openSealed(keys, view.json), etag: `${view.id}.${view.etag}`, fields: order.fields };
};

/** Listed in the module: the handlers of queries for payments. */
export const PAYMENT_QUERY_HANDLERS = [GetOrderPaymentHandler, GetReceiptHandler];
