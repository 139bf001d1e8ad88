import { INVENTORY_OPERATIONS } from './inventories/inventory.operations.js';
import { ORDER_CALLBACK_OPERATIONS } from './orders/order-callback.operations.js';
import { ORDER_OPERATIONS } from './orders/order.operations.js';
import { PAYMENT_OPERATIONS } from './payments/payment.operations.js';
import { PET_OPERATIONS } from './pets/pet.operations.js';
import { DELIVERY_OPERATIONS } from './webhooks/delivery.operations.js';
import { WEBHOOK_OPERATIONS } from './webhooks/webhook.operations.js';

/** Every operation of the interface, by its operationId. */
export const OPERATIONS = {
  ...PET_OPERATIONS,
  ...ORDER_OPERATIONS,
  ...ORDER_CALLBACK_OPERATIONS,
  ...PAYMENT_OPERATIONS,
  ...INVENTORY_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...DELIVERY_OPERATIONS,
} as const;

export type Operations = typeof OPERATIONS;
export type OperationId = keyof Operations;
