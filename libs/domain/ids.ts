import type { Brand } from '../eventsourcing/message.js';

export type PetId = Brand<string, 'PetId'>;
export type OrderId = Brand<string, 'OrderId'>;
export type PaymentId = Brand<string, 'PaymentId'>;

/** The streams' names: `<category>-<aggregate id>`. */
export const petStream = (id: PetId): string => `pet-${id}`;
export const orderStream = (id: OrderId): string => `order-${id}`;
export const paymentStream = (id: PaymentId): string => `payment-${id}`;
