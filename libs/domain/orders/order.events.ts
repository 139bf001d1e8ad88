import type { Message } from '../../eventsourcing/message.js';
import type { CallbackRequestId, PaymentId, PetId } from '../ids.js';
import type { PaymentTerms } from '../payment-terms.js';

export const ORDER_STATUSES = ['placed', 'approved', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** What happened to the last payment of an order. */
export const ORDER_PAYMENT_STATUSES = ['processing', 'succeeded', 'failed', 'refunded'] as const;
export type OrderPaymentStatus = (typeof ORDER_PAYMENT_STATUSES)[number];

export type OrderDetails = {
  readonly petId: PetId;
  /** Whose order it is: any text that the caller chooses. Default: the subject of the caller's token, if any (contract 13.4). */
  readonly userId?: string;
  /** 1 to 100. */
  readonly quantity: number;
  /** YYYY-MM-DD. */
  readonly shipDate?: string;
  /** The pet's price at the time of its reservation; absent when it had no price. */
  readonly unitPrice?: string;
  readonly currency?: string;
  /** The number in the classic variant (contract 39.3). Absent in orders of earlier versions. */
  readonly number?: number;
};

/**
 * The terms of an order callback, as the client requested them. `amount` and `currency` are what the client expects to
 * be due for the order.
 */
export type CallbackTerms = {
  readonly callbackUrl: string;
  /** Decimal text with two decimals. */
  readonly amount: string;
  readonly currency: string;
  /** The time that the client sent with the request: ISO 8601, unchanged. */
  readonly timestamp: string;
};

export const CALLBACK_OUTCOMES = ['delivered', 'parked'] as const;
export type CallbackOutcome = (typeof CALLBACK_OUTCOMES)[number];

export type OrderEvent =
  | Message<'OrderPlaced', OrderDetails>
  /**
   * A payment started. No other payment of the order can start until this payment fails. The event contains
   * everything that PaymentRequested needs, so a domain process can request the payment if the service
   * crashed between the two events.
   */
  | Message<'OrderPaymentStarted', { readonly paymentId: PaymentId } & PaymentTerms>
  | Message<'OrderPaymentFailed', { readonly paymentId: PaymentId; readonly reason: string }>
  /** A payment of an order that was cancelled or removed was refunded (contract 13.10). */
  | Message<'OrderPaymentRefunded', { readonly paymentId: PaymentId }>
  | Message<'OrderApproved', { readonly petId: PetId; readonly paymentId: PaymentId }>
  | Message<'OrderShipped', { readonly shipDate: string }>
  | Message<'OrderDelivered', { readonly petId: PetId }>
  /**
   * `requested`: a client deleted the order. `unpaid`: the order expired. `paymentId` is the payment that succeeded or is
   * still processing. It is absent if there is no such payment.
   */
  | Message<'OrderCancelled', { readonly reason: 'requested' | 'unpaid'; readonly petId: PetId; readonly paymentId?: PaymentId }>
  /** The order can no longer be read. Its events are kept. `status` is the status before removal. */
  | Message<'OrderRemoved', { readonly petId: PetId; readonly status: OrderStatus }>
  /** A callback with the order's status was requested. The callback is open until OrderCallbackEnded. */
  | Message<'OrderCallbackRequested', { readonly requestId: CallbackRequestId } & CallbackTerms>
  /**
   * `delivered`: the receiver acknowledged the callback. `parked`: every attempt failed, or the receiver returned 410
   * (contract 17.6).
   */
  | Message<'OrderCallbackEnded', { readonly requestId: CallbackRequestId; readonly outcome: CallbackOutcome }>;
