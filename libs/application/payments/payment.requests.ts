import { Command, Query } from '@nestjs/cqrs';
import type { OrderRejection } from '../../domain/orders/order.decider.js';
import type { PaymentRejection } from '../../domain/payments/payment.decider.js';
import type { Rejection } from '../../eventsourcing/decider.js';
import type { PaymentInstrument } from '../../ports/payment-gateway.port.js';
import type { Created, RequestContext, View } from '../request.js';

/** What stands on a card or with an account beside its number: kept, sealed, and shown again. */
type CardHolder = {
  readonly name?: string;
  readonly addressLine1?: string;
  readonly addressLine2?: string;
  readonly addressCity?: string;
  readonly addressCountry?: string;
  readonly addressPostCode?: string;
};
type AccountHolder = {
  readonly name?: string;
  readonly accountType?: string;
  readonly bankName?: string;
  readonly country?: string;
};

export type PaymentWish = {
  /** Decimal text with two decimals. */
  readonly amount: string;
  readonly currency: string;
  readonly instrument: PaymentInstrument;
  readonly holder: CardHolder & AccountHolder;
};

/** Starts a payment of an order; the charge follows by itself. */
export class CreateOrderPayment extends Command<
  Created | Rejection<OrderRejection | PaymentRejection | 'idempotency_key_reused' | 'contended' | 'precondition_failed'>
> {
  constructor(
    readonly orderId: string,
    readonly wish: PaymentWish,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** The latest payment attempt of an order, or null. */
export class GetOrderPayment extends Query<View | null> {
  constructor(
    readonly orderId: string,
    readonly tenant: string,
  ) {
    super();
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
