import type { Brand } from '../eventsourcing/message.js';

export type PetId = Brand<string, 'PetId'>;
export type OrderId = Brand<string, 'OrderId'>;
export type PaymentId = Brand<string, 'PaymentId'>;
export type WebhookId = Brand<string, 'WebhookId'>;
/** Names one callback that was asked for, to the caller and to the receiver. */
export type CallbackRequestId = Brand<string, 'CallbackRequestId'>;

/** The streams' names: `<category>-<aggregate id>`. */
export const petStream = (id: PetId): string => `pet-${id}`;
export const orderStream = (id: OrderId): string => `order-${id}`;
export const paymentStream = (id: PaymentId): string => `payment-${id}`;
/** One stream for each tenant. */
export const webhookSlotsStream = (tenant: string): string => `webhookslots-${tenant}`;
export const webhookStream = (id: WebhookId): string => `webhook-${id}`;
