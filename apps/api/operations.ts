import type { Type } from '@nestjs/common';
import { operationsOf } from './http/nest/operation.decorator.js';
import type { OperationRecord } from './http/operation.js';
import { InventoriesController } from './inventories/inventories.controller.js';
import { OrderCallbacksController } from './orders/order-callbacks.controller.js';
import { OrdersController } from './orders/orders.controller.js';
import { PaymentsController } from './payments/payments.controller.js';
import { PetsController } from './pets/pets.controller.js';
import { DeliveriesController } from './webhooks/deliveries.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

/** Whose methods are the handlers of operations. */
export const OPERATION_CONTROLLERS: readonly Type<object>[] = [
  PetsController,
  OrdersController,
  OrderCallbacksController,
  PaymentsController,
  InventoriesController,
  WebhooksController,
  DeliveriesController,
];

/** Every operation of the interface, by its operationId. */
export const OPERATIONS: Readonly<Record<string, OperationRecord>> = operationsOf(OPERATION_CONTROLLERS);
