import { rejected, type Decider, type Rejection } from '../../eventsourcing/decider.js';
import { unreachable, type EventMeta, type Message } from '../../eventsourcing/message.js';
import { hasExpired } from '../card-expiry.js';
import { canBeAccount, type PaymentId, type CallbackRequestId, type OrderId } from '../ids.js';
import { mismatchedFields } from './amount-due.js';
import {
  endCallback,
  NO_CALLBACKS,
  requestCallback,
  closeCallback,
  addCallback,
  type CallbackRejection,
  type OrderCallbacks,
} from './order-callbacks.js';
import type { OrderDetails, OrderEvent, CallbackOutcome, CallbackTerms } from './order.events.js';
import type { PaymentTerms } from '../payment-terms.js';

export type OrderCommand =
  | Message<'CreateOrder', { readonly orderId: OrderId } & OrderDetails>
  /** `today` (YYYY-MM-DD, in UTC) decides whether a card has expired. */
  | Message<'StartOrderPayment', { readonly orderId: OrderId; readonly paymentId: PaymentId; readonly today: string } & PaymentTerms>
  | Message<'FailOrderPayment', { readonly orderId: OrderId; readonly paymentId: PaymentId; readonly reason: string }>
  /** Records that a payment of the order was refunded. */
  | Message<'RecordOrderRefund', { readonly orderId: OrderId; readonly paymentId: PaymentId }>
  | Message<'ApproveOrder', { readonly orderId: OrderId; readonly paymentId: PaymentId }>
  /** `today` (YYYY-MM-DD) fills an empty ship date. */
  | Message<'ShipOrder', { readonly orderId: OrderId; readonly today: string }>
  | Message<'DeliverOrder', { readonly orderId: OrderId }>
  /** Removes the order: it can no longer be read. If the order is placed or approved, cancels it first. */
  | Message<'DeleteOrder', { readonly orderId: OrderId }>
  /** Cancels an unpaid order that was placed at or before `placedBefore` (ISO 8601). */
  | Message<'ExpireOrder', { readonly orderId: OrderId; readonly placedBefore: string }>
  /** Requests a callback with the order's status, once per `requestId`. */
  | Message<'RequestOrderCallback', { readonly orderId: OrderId; readonly requestId: CallbackRequestId } & CallbackTerms>
  /** Records the outcome of a callback. The callback no longer counts towards MAX_OPEN_CALLBACKS. */
  | Message<'EndOrderCallback', { readonly orderId: OrderId; readonly requestId: CallbackRequestId; readonly outcome: CallbackOutcome }>;

/** The maximum quantity of an order (contract 13.1). */
export const MAX_QUANTITY = 100;

/** The terms agreed when the order was placed, all payments started for it, and its callbacks. */
type OrderTerms = OrderDetails & {
  readonly placedAt: string;
  /** The actor of OrderPlaced. */
  readonly placedBy: string;
  readonly payments: readonly PaymentId[];
  /** The payments that were refunded. */
  readonly refunds: readonly PaymentId[];
  readonly callbacks: OrderCallbacks;
};

type PlacedOrder = {
  readonly status: 'placed';
  readonly tenant: string;
  readonly terms: OrderTerms;
  /** The payment that is processing, or null. No other payment can start until that payment ends. */
  readonly openPayment: PaymentId | null;
};
type PaidOrder = {
  readonly status: 'approved' | 'shipped' | 'delivered';
  readonly tenant: string;
  readonly terms: OrderTerms;
  readonly paidBy: PaymentId;
};
type CancelledOrder = { readonly status: 'cancelled'; readonly tenant: string; readonly terms: OrderTerms };
type ExistingOrder = PlacedOrder | PaidOrder | CancelledOrder;

export type OrderState =
  | { readonly status: 'unplaced'; readonly tenant: null }
  | ExistingOrder
  | { readonly status: 'removed'; readonly tenant: string; readonly terms: OrderTerms; readonly paidBy: PaymentId | null };

export type OrderRejection =
  /** The order already exists for another pet, or was cancelled. The caller must release the pet. */
  | 'order_exists'
  | 'quantity_out_of_range'
  /** Never placed, or removed. */
  | 'order_not_found'
  /** Paid or cancelled. */
  | 'order_not_payable'
  | 'payment_processing'
  /** The `fields` of the rejection name the values that differ from what is due: amount, currency or both. */
  | 'payment_mismatch'
  | 'card_expired'
  /** The order no longer waits for this payment, which must be refunded. */
  | 'order_not_open'
  | 'order_not_shippable'
  | 'order_not_deliverable'
  | CallbackRejection;

type Decision = readonly OrderEvent[] | Rejection<OrderRejection>;
type CommandData<T extends OrderCommand['type']> = Extract<OrderCommand, { type: T }>['data'];

const decide = (command: OrderCommand, order: OrderState): Decision => {
  switch (command.type) {
    case 'CreateOrder':
      return create(command.data, order);
    case 'StartOrderPayment':
      return isExisting(order) ? startPayment(command.data, order) : rejected('order_not_found');
    case 'FailOrderPayment':
      return failPayment(command.data, order);
    case 'RecordOrderRefund':
      return recordRefund(command.data, order);
    case 'ApproveOrder':
      return approve(command.data, order);
    case 'ShipOrder':
      return isExisting(order) ? ship(command.data, order) : rejected('order_not_found');
    case 'DeliverOrder':
      return isExisting(order) ? deliver(order) : rejected('order_not_found');
    case 'DeleteOrder':
      return isExisting(order) ? remove(order) : rejected('order_not_found');
    case 'ExpireOrder':
      return expire(command.data, order);
    case 'RequestOrderCallback':
      return isExisting(order) ? requestCallback(command.data, order.terms.callbacks) : rejected('order_not_found');
    case 'EndOrderCallback':
      return isExisting(order) ? endCallback(command.data, order.terms.callbacks) : [];
    default:
      return unreachable(command);
  }
};

const isExisting = (order: OrderState): order is ExistingOrder => order.status !== 'unplaced' && order.status !== 'removed';

/**
 * Places an order. A repeated command changes nothing: the HTTP request and the process pet-reserved-places-order both send
 * it. If the order was cancelled, the command is rejected. The process then releases a pet that was reserved again
 * for that order.
 */
const create = (data: CommandData<'CreateOrder'>, order: OrderState): Decision => {
  if (order.status !== 'unplaced') return order.terms.petId === data.petId && !isCancelled(order) ? [] : rejected('order_exists');
  const inRange = Number.isInteger(data.quantity) && data.quantity >= 1 && data.quantity <= MAX_QUANTITY;
  return inRange ? [{ type: 'OrderPlaced', data: detailsOf(data) }] : rejected('quantity_out_of_range', ['quantity']);
};

/** Whether the order was cancelled. A removed order that was not cancelled still has its payment in `paidBy`. */
const isCancelled = (order: OrderState): boolean => order.status === 'cancelled' || (order.status === 'removed' && order.paidBy === null);

const detailsOf = ({ petId, userId, quantity, shipDate, unitPrice, currency, number }: OrderDetails): OrderDetails => ({
  petId,
  quantity,
  ...(userId !== undefined && { userId }),
  ...(shipDate !== undefined && { shipDate }),
  ...(unitPrice !== undefined && { unitPrice }),
  ...(currency !== undefined && { currency }),
  ...(number !== undefined && { number }),
});

const startPayment = (data: CommandData<'StartOrderPayment'>, order: ExistingOrder): Decision => {
  // A repeated command for a started payment changes nothing, even if that payment has failed.
  if (order.terms.payments.includes(data.paymentId)) return [];
  // An expired card is rejected (contract 15.5).
  if (data.source.object === 'card' && hasExpired(data.source, data.today)) return rejected('card_expired');
  // An order has one payment at a time (contract 15.4).
  if (order.status !== 'placed') return rejected('order_not_payable');
  if (order.openPayment) return rejected('payment_processing');
  const fields = mismatchedFields(data, order);
  if (fields.length > 0) return rejected('payment_mismatch', fields);
  const { paymentId, amount, currency, source, reference } = data;
  const { placedBy } = order.terms;
  // If an account placed the order, the key of the account also encrypts the payer's data (contract 23.7).
  const payer = canBeAccount(placedBy) ? { payer: placedBy } : {};
  return [{ type: 'OrderPaymentStarted', data: { paymentId, amount, currency, source, reference, ...payer } }];
};

const failPayment = ({ paymentId, reason }: CommandData<'FailOrderPayment'>, order: OrderState): Decision =>
  order.status === 'placed' && order.openPayment === paymentId ? [{ type: 'OrderPaymentFailed', data: { paymentId, reason } }] : [];

/**
 * Records a refund once. An order that was never placed has no payments. The payment of an order of an early version may have
 * started without an event of the order.
 */
const recordRefund = ({ paymentId }: CommandData<'RecordOrderRefund'>, order: OrderState): Decision =>
  order.status === 'unplaced' || order.terms.refunds.includes(paymentId) ? [] : [{ type: 'OrderPaymentRefunded', data: { paymentId } }];

/**
 * Approves a placed order when its payment succeeds. If the order was cancelled or removed meanwhile, the
 * command is rejected and the payment is refunded (contract 15.10).
 */
const approve = ({ paymentId }: CommandData<'ApproveOrder'>, order: OrderState): Decision => {
  if (order.status === 'placed' && order.openPayment === paymentId)
    return [{ type: 'OrderApproved', data: { petId: order.terms.petId, paymentId } }];
  return 'paidBy' in order && order.paidBy === paymentId ? [] : rejected('order_not_open');
};

const ship = ({ today }: CommandData<'ShipOrder'>, { status, terms }: ExistingOrder): Decision => {
  if (status === 'shipped') return [];
  // An empty ship date becomes the day of shipment (contract 13.9).
  return status === 'approved' ? [{ type: 'OrderShipped', data: { shipDate: terms.shipDate ?? today } }] : rejected('order_not_shippable');
};

const deliver = ({ status, terms }: ExistingOrder): Decision => {
  if (status === 'delivered') return [];
  return status === 'shipped' ? [{ type: 'OrderDelivered', data: { petId: terms.petId } }] : rejected('order_not_deliverable');
};

/** Removes an order in any status. A placed or approved order is cancelled first (contract 13.10). */
const remove = (order: ExistingOrder): Decision => {
  const { petId } = order.terms;
  const removed: OrderEvent = { type: 'OrderRemoved', data: { petId, status: order.status } };
  if (order.status !== 'placed' && order.status !== 'approved') return [removed];
  const paymentId = order.status === 'placed' ? order.openPayment : order.paidBy;
  return [{ type: 'OrderCancelled', data: { reason: 'requested', petId, ...(paymentId !== null && { paymentId }) } }, removed];
};

/** Cancels an unpaid order, but not while a payment is processing (contract 13.7). */
const expire = ({ placedBefore }: CommandData<'ExpireOrder'>, order: OrderState): Decision => {
  if (order.status !== 'placed' || !(Date.parse(order.terms.placedAt) <= Date.parse(placedBefore))) return [];
  if (order.openPayment) return rejected('payment_processing');
  return [{ type: 'OrderCancelled', data: { reason: 'unpaid', petId: order.terms.petId } }];
};

const evolve = (order: OrderState, event: OrderEvent, meta: EventMeta): OrderState => {
  if (event.type === 'OrderPlaced') {
    const terms = { ...event.data, placedAt: meta.time, placedBy: meta.actor, payments: [], refunds: [], callbacks: NO_CALLBACKS };
    return { status: 'placed', tenant: meta.tenant, terms, openPayment: null };
  }
  if (event.type === 'OrderPaymentRefunded') return withRefund(order, event.data.paymentId);
  if (!isExisting(order)) return order;
  const { tenant, terms } = order;
  switch (event.type) {
    case 'OrderPaymentStarted': {
      const { paymentId } = event.data;
      return { status: 'placed', tenant, terms: { ...terms, payments: [...terms.payments, paymentId] }, openPayment: paymentId };
    }
    case 'OrderPaymentFailed':
      return { status: 'placed', tenant, terms, openPayment: null };
    case 'OrderApproved':
      return { status: 'approved', tenant, terms, paidBy: event.data.paymentId };
    case 'OrderShipped':
      return withStatus(order, 'shipped', { ...terms, shipDate: event.data.shipDate });
    case 'OrderDelivered':
      return withStatus(order, 'delivered', terms);
    case 'OrderCancelled':
      return { status: 'cancelled', tenant, terms };
    case 'OrderCallbackRequested':
      return { ...order, terms: { ...terms, callbacks: addCallback(terms.callbacks, event.data.requestId) } };
    case 'OrderCallbackEnded':
      return { ...order, terms: { ...terms, callbacks: closeCallback(terms.callbacks, event.data.requestId) } };
    case 'OrderRemoved':
      return { status: 'removed', tenant, terms, paidBy: 'paidBy' in order ? order.paidBy : null };
    default:
      return unreachable(event);
  }
};

/** Adds a refunded payment to an order, also to one that was removed: payments are refunded after the removal. */
const withRefund = (order: OrderState, paymentId: PaymentId): OrderState =>
  order.status === 'unplaced' ? order : { ...order, terms: { ...order.terms, refunds: [...order.terms.refunds, paymentId] } };

/** Changes the status of a paid order. Returns any other order unchanged. */
const withStatus = (order: ExistingOrder, status: PaidOrder['status'], terms: OrderTerms): OrderState =>
  'paidBy' in order ? { ...order, status, terms } : order;

/** Decides what can happen to an order, from placing to removal. */
export const orderDecider: Decider<OrderState, OrderCommand, OrderEvent, OrderRejection> = {
  initial: { status: 'unplaced', tenant: null },
  decide,
  evolve,
};
