import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { orderStream, paymentStream, type OrderId, type PaymentId } from '../../domain/ids.js';
import type { OrderCommand, OrderRejection, OrderState } from '../../domain/orders/order.decider.js';
import { amountDue } from '../../domain/orders/amount-due.js';
import type { OrderEvent } from '../../domain/orders/order.events.js';
import type { MaskedSource } from '../../domain/payment-terms.js';
import type { PaymentRejection } from '../../domain/payments/payment.decider.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { AppendedEvent, EventCodec, StreamEnd } from '../../eventsourcing/event-codec.js';
import type { LoadedStream } from '../../eventsourcing/streams/aggregate.js';
import { commandContextOf, type CommandContext, type RecordedEvent } from '../../eventsourcing/message.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { IdentifiedInstrument, PaymentGateway, PaymentInstrument } from '../../ports/payment-gateway.port.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { findLastEvent } from '../../runtime/codec/verified-history.js';
import { ORDERS, PAYMENTS } from '../aggregates.js';
import { createdView, readFirstEvent } from '../creation.js';
import type { Identities } from '../identities.js';
import { commandContext, type ResultOf, type CreationResult, type RequestContext } from '../request.js';
import { AGGREGATES, CLOCK, CODEC, EVENT_STORE, IDENTITIES, KEY_VAULT, PAYMENT_GATEWAY } from '../tokens.js';
import { openView } from '../views.js';
import { releaseFailedPayment } from './release-failed-payment.js';

type StartPayment = Extract<OrderCommand, { type: 'StartOrderPayment' }>;

/** The data of a card besides its number. The service stores these data encrypted, and a read of the payment returns them. */
export type CardHolder = {
  readonly name?: string;
  readonly addressLine1?: string;
  readonly addressLine2?: string;
  readonly addressCity?: string;
  readonly addressCountry?: string;
  readonly addressPostCode?: string;
};

/** The data of a bank account besides its number. */
export type AccountHolder = {
  readonly name?: string;
  readonly accountType?: string;
  readonly bankName?: string;
  readonly country?: string;
};

export type PaymentInput = {
  /** Decimal text with two decimals. */
  readonly amount: string;
  readonly currency: string;
  readonly instrument: PaymentInstrument;
  readonly holder: CardHolder & AccountHolder;
};

/** Starts a payment of an order. The charge follows asynchronously. */
export class CreateOrderPayment extends Command<
  CreationResult | Rejection<OrderRejection | PaymentRejection | 'idempotency_key_reused' | 'contended' | 'precondition_failed'>
> {
  constructor(
    readonly orderId: string,
    readonly input: PaymentInput,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/**
 * If the order accepts the payment, the gateway stores the card or bank account and returns a reference. Then
 * OrderPaymentStarted is appended to the order's stream: of several concurrent payments, only one can append this event.
 * Then PaymentRequested is appended to the payment's stream. If the service crashes between the two appends, the domain
 * process order-payment-started-requests-payment requests the payment (libs/processes).
 */
@CommandHandler(CreateOrderPayment)
export class CreateOrderPaymentHandler implements ICommandHandler<CreateOrderPayment> {
  constructor(
    @Inject(AGGREGATES) readonly aggregates: Aggregates,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(CODEC) readonly codec: EventCodec,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ orderId, input, request }: CreateOrderPayment): Promise<ResultOf<CreateOrderPayment>> {
    const order = await this.aggregates.load(ORDERS, orderId);
    if (order.state.tenant !== request.tenant) return rejected('order_not_found');
    const { fingerprint, ...instrument } = await this.gateway.identify(input.instrument);
    const terms = { amount: input.amount, currency: input.currency, source: maskedSource(input, instrument) };
    const { id, bodyDigest } = this.identities.of<PaymentId>('createOrderPayment', request, { orderId, ...terms, fingerprint });
    // A replay comes before all checks: since the first request, the order may have changed, or the card may have expired.
    const earlier = bodyDigest && (await this.readPaymentRequested(id));
    if (earlier) return this.answer(earlier, bodyDigest, true);
    const today = this.clock.now().toISOString().slice(0, 10);
    const start = { orderId: orderId as OrderId, paymentId: id, today, ...terms };
    const releasedOrder = await releaseFailedPayment(this, start.orderId, order);
    const rejection = rejectionOf(start, releasedOrder);
    if (rejection) return rejection;
    const { reference } = await this.gateway.tokenize(input.instrument, orderStream(start.orderId));
    return this.pay({ type: 'StartOrderPayment', data: { ...start, reference } }, releasedOrder, commandContext(request, bodyDigest));
  }

  private async pay(start: StartPayment, order: LoadedStream<OrderState>, context: CommandContext): Promise<ResultOf<CreateOrderPayment>> {
    const { orderId, paymentId: id } = start.data;
    const started = await this.aggregates.handle(ORDERS, orderId, start, context, { loaded: order });
    if (isRejection(started)) return started;
    // Uses the recorded event, because a concurrent request with the same Idempotency-Key may have appended that event.
    const startedEvent = started.events[0] ?? (await this.readPaymentStarted(orderId, started.end, id));
    if (startedEvent?.type !== 'OrderPaymentStarted') return rejected('order_not_found');
    const request = { type: 'CreatePayment', data: { orderId, ...startedEvent.data } } as const;
    const requested = await this.aggregates.handle(PAYMENTS, id, request, commandContextOf(startedEvent), { isNew: !context.bodyDigest });
    if (isRejection(requested)) return requested;
    const first = requested.events[0] ?? (await this.readPaymentRequested(id));
    return first ? this.answer(first, context.bodyDigest, started.events.length === 0) : rejected('payment_not_found');
  }

  /** Returns the first event of the payment, if it exists. */
  private readPaymentRequested(id: PaymentId): Promise<RecordedEvent | null> {
    return readFirstEvent(this.store, this.codec, paymentStream(id));
  }

  private async answer(first: AppendedEvent, bodyDigest: string | undefined, replayed: boolean): Promise<ResultOf<CreateOrderPayment>> {
    const answer = createdView(PAYMENTS.projection, first, { bodyDigest, replayed });
    if (isRejection(answer)) return answer;
    const opened = await openView(this.keys, answer);
    // The entity tag of a payment starts with the payment's id (contract 8.1).
    return { ...opened, etag: `${opened.id}.${opened.etag}` };
  }

  private async readPaymentStarted(orderId: OrderId, { revision }: StreamEnd, id: PaymentId): Promise<RecordedEvent<OrderEvent> | null> {
    const found = await findLastEvent(this, orderStream(orderId), revision, (recorded) => {
      const { type, data } = eventOf<OrderEvent>(recorded);
      return type === 'OrderPaymentStarted' && data.paymentId === id;
    });
    return found && eventOf<OrderEvent>(found);
  }
}

/** Returns why the order rejects the payment, or null. Call this before the gateway stores the card or bank account. */
const rejectionOf = (
  start: Omit<StartPayment['data'], 'reference'>,
  { state }: LoadedStream<OrderState>,
): Rejection<OrderRejection> | null => {
  const decision = ORDERS.decider.decide({ type: 'StartOrderPayment', data: { ...start, reference: '' } }, state);
  if (!isRejection(decision)) return null;
  return decision.rejected === 'payment_mismatch' && state.status !== 'unplaced'
    ? // The response names what is due (contract 15.3).
      { ...decision, expected: [amountDue(state), state.terms.currency].filter(Boolean).join(' ') }
    : decision;
};

/** Returns the card or bank account with its number masked, except for the last four digits (contract 15.8). */
const maskedSource = (
  { instrument, holder }: PaymentInput,
  { last4, brand }: Pick<IdentifiedInstrument, 'last4' | 'brand'>,
): MaskedSource => {
  const number = last4.padStart(instrument.number.length, '*');
  if (instrument.object === 'card')
    return {
      object: 'card',
      ...holder,
      number,
      brand: brand ?? 'unknown',
      last4,
      expMonth: instrument.expMonth,
      expYear: instrument.expYear,
    };
  return { object: 'bank_account', ...holder, number, ...(instrument.sortCode && { sortCode: instrument.sortCode }) };
};
