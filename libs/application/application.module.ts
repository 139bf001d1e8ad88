import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AdoptionHandlersModule } from './adoptions/adoption-handlers.module.js';
import { AuditHandlersModule } from './audit/audit-handlers.module.js';
import { ChatHandlersModule } from './chat/chat-handlers.module.js';
import { DeliveryHandlersModule } from './deliveries/delivery-handlers.module.js';
import { HistoryHandlersModule } from './history/history-handlers.module.js';
import { InventoryHandlersModule } from './inventory/inventory-handlers.module.js';
import { KeyHandlersModule } from './keys/key-handlers.module.js';
import { OAuthHandlersModule } from './oauth/oauth-handlers.module.js';
import { OrderHandlersModule } from './orders/order-handlers.module.js';
import { PaymentHandlersModule } from './payments/payment-handlers.module.js';
import { PerformHandler } from './perform.js';
import { PetHandlersModule } from './pets/pet-handlers.module.js';
import { SecurityHandlersModule } from './security/security-handlers.module.js';
import { SessionHandlersModule } from './sessions/session-handlers.module.js';
import { UserHandlersModule } from './users/user-handlers.module.js';
import { WebhookHandlersModule } from './webhooks/webhook-handlers.module.js';

/**
 * Provides all command and query handlers, and the command bus and the query bus, in api and worker processes. A global
 * module provides the ports of tokens.ts.
 */
@Module({
  imports: [
    CqrsModule.forRoot(),
    PetHandlersModule,
    OrderHandlersModule,
    PaymentHandlersModule,
    AdoptionHandlersModule,
    InventoryHandlersModule,
    WebhookHandlersModule,
    DeliveryHandlersModule,
    UserHandlersModule,
    KeyHandlersModule,
    SessionHandlersModule,
    OAuthHandlersModule,
    SecurityHandlersModule,
    HistoryHandlersModule,
    AuditHandlersModule,
    ChatHandlersModule,
  ],
  providers: [PerformHandler],
})
export class ApplicationModule {}
