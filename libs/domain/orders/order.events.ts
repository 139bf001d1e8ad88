import type { Message } from '../../eventsourcing/message.js';
import type { CallbackRequestId, PaymentId, PetId } from '../ids.js';
import type { PaymentTerms } from '../payment-terms.js';

export const ORDER_STATUSES = ['placed', 'approved', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export type OrderDetails = {
  readonly petId: PetId;
  /** A reference that the caller vouches for. */
  readonly userId?: string;
  /** 1 to 100. */
  readonly quantity: number;
  /** YYYY-MM-DD. */
  readonly shipDate?: string;
  /** Frozen when the pet was reserved; absent when it had no price. */
  readonly unitPrice?: string;
  readonly currency?: string;
};

/** A callback as its caller asked for it: where to, and what the order is expected to come to. */
export type CallbackWish = {
  readonly callbackUrl: string;
  /** Decimal text with two decimals. */
  readonly amount: string;
  readonly currency: string;
  /** The caller's own: ISO 8601, as it was sent. */
  readonly timestamp: string;
};

export const CALLBACK_OUTCOMES = ['delivered', 'parked'] as const;
export type CallbackOutcome = (typeof CALLBACK_OUTCOMES)[number];

export type OrderEvent =
  | Message<'OrderPlaced', OrderDetails>
  /** The guard of a payment: while one is open no other can start. Carries all that PaymentRequested needs, so that a kill between the two heals. */
  | Message<'OrderPaymentStarted', { readonly paymentId: PaymentId } & PaymentTerms>
  | Message<'OrderPaymentFailed', { readonly paymentId: PaymentId; readonly reason: string }>
  | Message<'OrderApproved', { readonly petId: PetId; readonly paymentId: PaymentId }>
  | Message<'OrderShipped', { readonly shipDate: string }>
  | Message<'OrderDelivered', { readonly petId: PetId }>
  /** `paymentId` is the payment that has succeeded or is still processing. */
  | Message<'OrderCancelled', { readonly reason: 'requested' | 'unpaid'; readonly petId: PetId; readonly paymentId?: PaymentId }>
  /** Gone from reads; the history stays. `status` is the one it had. */
  | Message<'OrderRemoved', { readonly petId: PetId; readonly status: OrderStatus }>
  /** A callback with the order's status was requested; open until OrderCallbackEnded. */
  | Message<'OrderCallbackRequested', { readonly requestId: CallbackRequestId } & CallbackWish>
  /** `delivered`: the receiver acknowledged it. `parked`: every attempt failed. */
  | Message<'OrderCallbackEnded', { readonly requestId: CallbackRequestId; readonly outcome: CallbackOutcome }>;
