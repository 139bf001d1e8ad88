import type { Message } from '../../eventsourcing/message.js';
import type { OrderId } from '../ids.js';
import type { PaymentTerms } from '../payment-terms.js';

export const PAYMENT_STATUSES = ['processing', 'succeeded', 'failed'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export type PaymentEvent =
  | Message<'PaymentRequested', { readonly orderId: OrderId } & PaymentTerms>
  | Message<'PaymentSucceeded', { readonly orderId: OrderId }>
  | Message<'PaymentFailed', { readonly orderId: OrderId; readonly reason: string }>
  | Message<'PaymentRefunded', { readonly orderId: OrderId }>;
