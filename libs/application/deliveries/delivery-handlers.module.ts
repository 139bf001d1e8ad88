import { Module } from '@nestjs/common';
import { DELIVERY_COMMAND_HANDLERS } from './delivery.handlers.js';
import { DELIVERY_QUERY_HANDLERS } from './delivery.queries.js';

/** The command and query handlers of deliveries. */
@Module({ providers: [...DELIVERY_COMMAND_HANDLERS, ...DELIVERY_QUERY_HANDLERS] })
export class DeliveryHandlersModule {}
