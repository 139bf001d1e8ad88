import { dayOf } from '../../eventsourcing/day.js';
import { orderStream, type OrderId, type PaymentId } from '../../domain/ids.js';
import { amountDue } from '../../domain/orders/amount-due.js';
import type { OrderCommand, OrderRejection, OrderState } from '../../domain/orders/order.decider.js';
import type { OrderEvent } from '../../domain/orders/order.events.js';
import type { MaskedSource } from '../../domain/payment-terms.js';
import { checkRefundable, type PaymentRejection } from '../../domain/payments/payment.decider.js';
import { isRejection, rejected, rejectionIn, type Rejection } from '../../eventsourcing/decider.js';
import type { StreamEnd } from '../../eventsourcing/event-codec.js';
import { commandContextOf, type CommandContext, type RecordedEvent } from '../../eventsourcing/message.js';
import type { LoadedStream } from '../../eventsourcing/streams/aggregate.js';
import type { IdentifiedInstrument, PaymentInstrument } from '../../ports/payment-gateway.port.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { findLastEvent } from '../../runtime/codec/verified-history.js';
import { ORDERS, PAYMENTS } from '../aggregates.js';
import type { Ports } from '../command-ports.js';
import { create } from '../creation.js';
import { RequestCommand, type CreationResult, type RequestContext, type ResultOf } from '../request.js';
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
export class CreateOrderPayment extends RequestCommand<
  'CreateOrderPayment',
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

type PaymentPorts = Ports<'aggregates' | 'identities' | 'gateway' | 'store' | 'codec' | 'keys' | 'clock'>;

/**
 * If the order accepts the payment, the gateway stores the card or bank account and returns a reference. Then
 * OrderPaymentStarted is appended to the order's stream: of several concurrent payments, only one can append this event.
 * Then PaymentRequested is appended to the payment's stream. If the service crashes between the two appends, the domain
 * process order-payment-started-requests-payment requests the payment (libs/processes).
 *
 * A replay comes before all checks: since the first request, the order may have changed, or the card may have expired.
 */
export const createOrderPayment = async (
  ports: PaymentPorts,
  { orderId: id, input, request }: CreateOrderPayment,
): Promise<ResultOf<CreateOrderPayment>> => {
  const orderId = id as OrderId;
  const order = await ports.aggregates.load(ORDERS, orderId);
  if (order.state.tenant !== request.tenant) return rejected('order_not_found');
  const { fingerprint, ...instrument } = await ports.gateway.identify(input.instrument);
  const terms = { amount: input.amount, currency: input.currency, source: maskedSource(input, instrument) };
  return create(ports, {
    operation: 'createOrderPayment',
    request,
    digested: { orderId, ...terms, fingerprint },
    aggregate: PAYMENTS,
    missing: 'payment_not_found',
    append: async ({ id: paymentId }: { readonly id: PaymentId }, context) => {
      const today = dayOf(ports.clock.now());
      const start = { orderId, paymentId, today, ...terms };
      const releasedOrder = await releaseFailedPayment(ports, orderId, order);
      const rejection = rejectionOf(start, releasedOrder);
      if (rejection) return rejection;
      const { reference } = await ports.gateway.tokenize(input.instrument, orderStream(orderId));
      return startPayment(ports, { ...start, reference }, releasedOrder, context);
    },
    answer: async (view) => {
      const opened = await openView(ports.keys, view);
      // The entity tag of a payment starts with the payment's id (contract 8.1).
      return { ...opened, etag: `${opened.id}.${opened.etag}` };
    },
  });
};

/** Starts the payment on its order, then requests it. */
const startPayment = async (ports: PaymentPorts, data: StartPayment['data'], loaded: LoadedStream<OrderState>, context: CommandContext) => {
  const { orderId, paymentId } = data;
  const started = await ports.aggregates.handle(ORDERS, orderId, { type: 'StartOrderPayment', data }, context, { loaded });
  if (isRejection(started)) return started;
  // Uses the recorded event, because a concurrent request with the same Idempotency-Key may have appended that event.
  const startedEvent = started.events[0] ?? (await readPaymentStarted(ports, orderId, started.end, paymentId));
  if (startedEvent?.type !== 'OrderPaymentStarted') return rejected('order_not_found');
  const command = { type: 'CreatePayment', data: { orderId, ...startedEvent.data } } as const;
  const options = { isNew: !context.bodyDigest };
  const requested = await ports.aggregates.handle(PAYMENTS, paymentId, command, commandContextOf(startedEvent), options);
  return isRejection(requested) ? requested : { first: requested.events[0], replayed: started.events.length === 0 };
};

const readPaymentStarted = async (
  ports: PaymentPorts,
  orderId: OrderId,
  { revision }: StreamEnd,
  paymentId: PaymentId,
): Promise<RecordedEvent<OrderEvent> | null> => {
  const found = await findLastEvent(ports, orderStream(orderId), revision, (recorded) => {
    const { type, data } = eventOf<OrderEvent>(recorded);
    return type === 'OrderPaymentStarted' && data.paymentId === paymentId;
  });
  return found && eventOf<OrderEvent>(found);
};

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

/**
 * Charges the card or bank account of a payment (contract 15.9). Returns null if the payment is not processing. An outdated
 * cached state does no harm: the payment's id is the idempotency key, so the gateway never charges a payment twice.
 */
export const chargePayment = async (
  { aggregates, gateway }: Ports<'aggregates' | 'gateway'>,
  { paymentId }: { readonly paymentId: PaymentId },
  context: CommandContext,
): Promise<Rejection | null> => {
  const cached = aggregates.loadCached(PAYMENTS, paymentId);
  const loaded = cached?.state.status === 'processing' ? cached : await aggregates.load(PAYMENTS, paymentId);
  const { state } = loaded;
  if (state.status !== 'processing') return null;
  const outcome = await gateway.charge(state.reference, state.amount, state.currency, paymentId);
  const settle = { type: 'SettlePayment', data: { paymentId, outcome } } as const;
  return rejectionIn(await aggregates.handle(PAYMENTS, paymentId, settle, context, { loaded }));
};

/** Refunds a succeeded payment. For any other payment, returns a rejection and does not call the gateway. */
export const refundPayment = async (
  { aggregates, gateway }: Ports<'aggregates' | 'gateway'>,
  { paymentId }: { readonly paymentId: PaymentId },
  context: CommandContext,
): Promise<Rejection | null> => {
  const { state } = await aggregates.load(PAYMENTS, paymentId);
  const rejection = checkRefundable(state);
  if (rejection) return rejection;
  await gateway.refund(paymentId);
  return rejectionIn(await aggregates.handle(PAYMENTS, paymentId, { type: 'RecordRefund', data: { paymentId } }, context));
};
