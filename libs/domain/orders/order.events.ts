import type { Message } from '../../eventsourcing/message.js';
import type { CallbackRequestId, PaymentId, PetId } from '../ids.js';
import type { PaymentTerms } from '../payment-terms.js';

export const ORDER_STATUSES = ['placed', 'approved', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export type OrderDetails = {
  readonly petId: PetId;
  /** Supplied by the caller; not verified. */
  readonly userId?: string;
  /** 1 to 100. */
  readonly quantity: number;
  /** YYYY-MM-DD. */
  readonly shipDate?: string;
  /** The pet's price at the time of its reservation; absent when it had no price. */
  readonly unitPrice?: string;
  readonly currency?: string;
};

/** A callback as its caller requested it: the address, and the expected amount and currency. */
export type CallbackTerms = {
  readonly callbackUrl: string;
  /** Decimal text with two decimals. */
  readonly amount: string;
  readonly currency: string;
  /** The caller's timestamp: ISO 8601, unchanged. */
  readonly timestamp: string;
};

export const CALLBACK_OUTCOMES = ['delivered', 'parked'] as const;
export type CallbackOutcome = (typeof CALLBACK_OUTCOMES)[number];

export type OrderEvent =
  | Message<'OrderPlaced', OrderDetails>
  /**
   * Starts a payment. No other payment of the order can start until this one fails. The event carries
   * everything that PaymentRequested needs, so a domain process can request the payment if the service
   * crashed between the two events.
   */
  | Message<'OrderPaymentStarted', { readonly paymentId: PaymentId } & PaymentTerms>
  | Message<'OrderPaymentFailed', { readonly paymentId: PaymentId; readonly reason: string }>
  | Message<'OrderApproved', { readonly petId: PetId; readonly paymentId: PaymentId }>
  | Message<'OrderShipped', { readonly shipDate: string }>
  | Message<'OrderDelivered', { readonly petId: PetId }>
  /** `paymentId` is the payment that succeeded or is still processing. */
  | Message<'OrderCancelled', { readonly reason: 'requested' | 'unpaid'; readonly petId: PetId; readonly paymentId?: PaymentId }>
  /** Removed from reads; the history is kept. `status` is the status before removal. */
  | Message<'OrderRemoved', { readonly petId: PetId; readonly status: OrderStatus }>
  /** A callback with the order's status was requested; open until OrderCallbackEnded. */
  | Message<'OrderCallbackRequested', { readonly requestId: CallbackRequestId } & CallbackTerms>
  /** `delivered`: the receiver acknowledged it. `parked`: every attempt failed. */
  | Message<'OrderCallbackEnded', { readonly requestId: CallbackRequestId; readonly outcome: CallbackOutcome }>;
