import type { Brand } from '../eventsourcing/message.js';

export type PetId = Brand<string, 'PetId'>;
export type OrderId = Brand<string, 'OrderId'>;
export type PaymentId = Brand<string, 'PaymentId'>;
export type WebhookId = Brand<string, 'WebhookId'>;
export type ImageId = Brand<string, 'ImageId'>;
export type AdoptionId = Brand<string, 'AdoptionId'>;
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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns whether the actor of an event can be an account: the id of every account is a UUID. Not every actor with a UUID
 * is an account, because operators can make tokens whose subject is any UUID.
 */
export const canBeAccount = (actor: string): actor is UserId => UUID.test(actor);
