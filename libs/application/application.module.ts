import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ADOPTION_QUERY_HANDLERS } from './adoptions/adoption.queries.js';
import { CHECKPOINT_QUERY_HANDLERS } from './audit/checkpoint.queries.js';
import { OpenExportHandler } from './audit/export.queries.js';
import { GetStoreHealthHandler } from './audit/store-health.query.js';
import { CHAT_QUERY_HANDLERS } from './chat/ask-advisor.query.js';
import { COMMAND_PORTS_PROVIDER } from './command-ports.js';
import { COMMAND_HANDLERS } from './commands.js';
import { DELIVERY_QUERY_HANDLERS } from './deliveries/delivery.queries.js';
import { FindInHistoryHandler } from './history/find.queries.js';
import { HISTORY_QUERY_HANDLERS } from './history/history.queries.js';
import { LOG_QUERY_HANDLERS } from './history/log.queries.js';
import { INVENTORY_QUERY_HANDLERS } from './inventory/inventory.queries.js';
import { KEY_QUERY_HANDLERS } from './keys/key.queries.js';
import { CLIENT_QUERY_HANDLERS } from './oauth/client.queries.js';
import { ListProjectionsHandler } from './operations/projection.queries.js';
import { ListParkedHandler, ListSkippedHandler } from './operations/parked.queries.js';
import { ListStuckHandler } from './operations/stuck.queries.js';
import { WATCHING_QUERY_HANDLERS } from './operations/watching.queries.js';
import { ORDER_QUERY_HANDLERS } from './orders/order.queries.js';
import { PAYMENT_QUERY_HANDLERS } from './payments/payment.queries.js';
import { PET_QUERY_HANDLERS } from './pets/pet.queries.js';
import { ListSessionsHandler } from './sessions/session.queries.js';
import { CheckPasswordHandler } from './sessions/sign-in.query.js';
import { USER_QUERY_HANDLERS } from './users/user.queries.js';
import { WEBHOOK_QUERY_HANDLERS } from './webhooks/webhook.queries.js';

/**
 * Provides the command and query handlers, and the command bus and the query bus, in api and worker processes. A global
 * module provides the ports, each by its class. Where a command goes is in commands.ts; a query handler stands with its query.
 */
@Module({
  imports: [CqrsModule.forRoot()],
  providers: [
    COMMAND_PORTS_PROVIDER,
    ...COMMAND_HANDLERS,
    ...PET_QUERY_HANDLERS,
    ...ORDER_QUERY_HANDLERS,
    ...PAYMENT_QUERY_HANDLERS,
    ...ADOPTION_QUERY_HANDLERS,
    ...USER_QUERY_HANDLERS,
    CheckPasswordHandler,
    ListSessionsHandler,
    ...WEBHOOK_QUERY_HANDLERS,
    ...DELIVERY_QUERY_HANDLERS,
    ...INVENTORY_QUERY_HANDLERS,
    ...CLIENT_QUERY_HANDLERS,
    ...KEY_QUERY_HANDLERS,
    ...HISTORY_QUERY_HANDLERS,
    FindInHistoryHandler,
    ...LOG_QUERY_HANDLERS,
    ...CHECKPOINT_QUERY_HANDLERS,
    OpenExportHandler,
    GetStoreHealthHandler,
    ListProjectionsHandler,
    ListParkedHandler,
    ListSkippedHandler,
    ListStuckHandler,
    ...WATCHING_QUERY_HANDLERS,
    ...CHAT_QUERY_HANDLERS,
  ],
})
export class ApplicationModule {}
