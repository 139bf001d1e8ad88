import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DeliveryHandlersModule } from './deliveries/delivery-handlers.module.js';
import { InventoryHandlersModule } from './inventory/inventory-handlers.module.js';
import { OrderHandlersModule } from './orders/order-handlers.module.js';
import { PaymentHandlersModule } from './payments/payment-handlers.module.js';
import { PerformHandler } from './perform.js';
import { PetHandlersModule } from './pets/pet-handlers.module.js';
import { UserHandlersModule } from './users/user-handlers.module.js';
import { WebhookHandlersModule } from './webhooks/webhook-handlers.module.js';

/**
 * Provides every command and query handler and the two buses, in api and worker processes. A global module
 * provides the ports of tokens.ts.
 */
@Module({
  imports: [
    CqrsModule.forRoot(),
    PetHandlersModule,
    OrderHandlersModule,
    PaymentHandlersModule,
    InventoryHandlersModule,
    WebhookHandlersModule,
    DeliveryHandlersModule,
    UserHandlersModule,
  ],
  providers: [PerformHandler],
})
export class ApplicationModule {}
