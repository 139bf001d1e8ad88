import { controllersOf, operationsOf } from './http/nest/operation.decorator.js';
import type { OperationRecord } from './http/operation.js';
import { InventoriesModule } from './inventories/inventories.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { PetsModule } from './pets/pets.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { UsersModule } from './users/users.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The modules whose controllers have operations. */
export const OPERATION_MODULES = [PetsModule, OrdersModule, PaymentsModule, InventoriesModule, WebhooksModule, UsersModule, SignInModule];

/** The controllers of these modules. Their methods handle the operations. */
export const OPERATION_CONTROLLERS = controllersOf(OPERATION_MODULES);

/** Every operation of the interface by its operationId. */
export const OPERATIONS: Readonly<Record<string, OperationRecord>> = operationsOf(OPERATION_CONTROLLERS);
