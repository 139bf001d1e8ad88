import type { Message } from '../../eventsourcing/message.js';
import type { CallbackRequestId, OrderId, PaymentId } from '../ids.js';
import type { PaymentTerms } from '../payment-terms.js';
import type { CallbackOutcome, CallbackTerms, OrderDetails } from './order.events.js';

export type OrderCommand =
  | Message<'PlaceOrder', { readonly orderId: OrderId } & OrderDetails>
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
  | Message<'RemoveOrder', { readonly orderId: OrderId }>
  /** Cancels an unpaid order that was placed at or before `placedBefore` (ISO 8601). */
  | Message<'ExpireOrder', { readonly orderId: OrderId; readonly placedBefore: string }>
  /** Requests a callback with the order's status, once per `requestId`. */
  | Message<'RequestOrderCallback', { readonly orderId: OrderId; readonly requestId: CallbackRequestId } & CallbackTerms>
  /** Records the outcome of a callback. The callback no longer counts towards MAX_OPEN_CALLBACKS. */
  | Message<'EndOrderCallback', { readonly orderId: OrderId; readonly requestId: CallbackRequestId; readonly outcome: CallbackOutcome }>;
