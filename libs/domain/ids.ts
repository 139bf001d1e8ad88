import type { Brand } from '../eventsourcing/message.js';

export type PetId = Brand<string, 'PetId'>;
export type OrderId = Brand<string, 'OrderId'>;
export type PaymentId = Brand<string, 'PaymentId'>;
export type WebhookId = Brand<string, 'WebhookId'>;
export type UserId = Brand<string, 'UserId'>;
/** Identifies one callback request. The caller and the receiver both see it. */
export type CallbackRequestId = Brand<string, 'CallbackRequestId'>;

/** Stream names have the form `<category>-<aggregate id>`. */
export const petStream = (id: PetId): string => `pet-${id}`;
export const orderStream = (id: OrderId): string => `order-${id}`;
export const paymentStream = (id: PaymentId): string => `payment-${id}`;
/** One stream per tenant. */
export const webhookSlotsStream = (tenant: string): string => `webhookslots-${tenant}`;
export const webhookStream = (id: WebhookId): string => `webhook-${id}`;
export const userStream = (id: UserId): string => `user-${id}`;
