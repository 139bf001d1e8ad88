import { Module } from '@nestjs/common';
import { NumbersModule } from '../numbers/numbers.module.js';
import { CreateOrderHandler } from './create-order.handler.js';
import { ORDER_COMMAND_HANDLERS } from './order.handlers.js';
import { ORDER_QUERY_HANDLERS } from './order.queries.js';
import { RequestCallbackHandler } from './request-callback.handler.js';

/** The command and query handlers of orders. */
@Module({
  imports: [NumbersModule],
  providers: [CreateOrderHandler, RequestCallbackHandler, ...ORDER_COMMAND_HANDLERS, ...ORDER_QUERY_HANDLERS],
})
export class OrderHandlersModule {}
