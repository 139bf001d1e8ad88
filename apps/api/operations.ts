import { INVENTORY_OPERATIONS } from './inventories/inventory.operations.js';
import { ORDER_OPERATIONS } from './orders/order.operations.js';
import { PAYMENT_OPERATIONS } from './payments/payment.operations.js';
import { PET_OPERATIONS } from './pets/pet.operations.js';

/** Every operation of the interface, by its operationId. */
export const OPERATIONS = { ...PET_OPERATIONS, ...ORDER_OPERATIONS, ...PAYMENT_OPERATIONS, ...INVENTORY_OPERATIONS } as const;

export type Operations = typeof OPERATIONS;
export type OperationId = keyof Operations;
