import { Module } from '@nestjs/common';
import { CreateOrderPaymentHandler } from './create-payment.handler.js';
import { PAYMENT_QUERY_HANDLERS } from './payment.queries.js';

/** The command and query handlers of payments. */
@Module({ providers: [CreateOrderPaymentHandler, ...PAYMENT_QUERY_HANDLERS] })
export class PaymentHandlersModule {}
