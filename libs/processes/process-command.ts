import type { OrderCommand } from '../domain/orders/order.commands.js';
import type { PaymentCommand, PaymentRequest } from '../domain/payments/payment.commands.js';
import type { PetCommand } from '../domain/pets/pet.commands.js';
import type { WebhookCommand } from '../domain/webhooks/webhook.commands.js';

/** All that a process may ask for. */
export type ProcessCommand =
  PetCommand | OrderCommand | PaymentCommand | PaymentRequest | Extract<WebhookCommand, { type: 'DisableWebhook' }>;
