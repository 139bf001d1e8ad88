import { AdoptionsModule } from './adoptions/adoptions.module.js';
import { AuditModule } from './audit/audit.module.js';
import { ChatModule } from './chat/chat.module.js';
import { CLASSIC_OPERATION_CONTROLLERS } from './classic/classic-controllers.js';
import { ClientsModule } from './clients/clients.module.js';
import { controllersOf, operationsOf } from './http/nest/operation.decorator.js';
import type { OperationRecord } from './http/operation.js';
import { ImagesModule } from './images/images.module.js';
import { InventoriesModule } from './inventories/inventories.module.js';
import { OperatorsDeliveriesModule } from './ops/deliveries/deliveries.module.js';
import { StoreHealthModule } from './ops/health/health.module.js';
import { KeysModule } from './ops/keys/keys.module.js';
import { LiveModule } from './ops/live/live.module.js';
import { ParkedModule } from './ops/parked/parked.module.js';
import { ProjectionsModule } from './ops/projections/projections.module.js';
import { StuckModule } from './ops/stuck/stuck.module.js';
import { AccountsModule } from './ops/users/accounts.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { PetsModule } from './pets/pets.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { UsersModule } from './users/users.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The Nest modules whose controllers handle the operations under `/v1`, in the order of use. ClassicModule has those under `/api/v3`. */
export const OPERATION_MODULES = [
  PetsModule,
  ImagesModule,
  OrdersModule,
  PaymentsModule,
  AdoptionsModule,
  InventoriesModule,
  UsersModule,
  SignInModule,
  WebhooksModule,
  ChatModule,
  AuditModule,
  StoreHealthModule,
  ProjectionsModule,
  ParkedModule,
  StuckModule,
  OperatorsDeliveriesModule,
  LiveModule,
  AccountsModule,
  ClientsModule,
  KeysModule,
];

/** The controllers of OPERATION_MODULES. Their methods handle the operations. */
export const OPERATION_CONTROLLERS = controllersOf(OPERATION_MODULES);

/**
 * The operations of the classic variant by their ids (contract 39.2). OPERATIONS does not contain them, because the
 * classic variant has an OpenAPI document of its own (contract 39.9).
 */
export const CLASSIC_OPERATIONS: Readonly<Record<string, OperationRecord>> = operationsOf(CLASSIC_OPERATION_CONTROLLERS);

/** The operations of the interface by their ids, without those of the classic variant. */
export const OPERATIONS: Readonly<Record<string, OperationRecord>> = operationsOf(OPERATION_CONTROLLERS);
