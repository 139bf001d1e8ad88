import { Module } from '@nestjs/common';
import { OrderCallbacksController } from './order-callbacks.controller.js';
import { OrdersController } from './orders.controller.js';

/** Orders for pets, from placing to delivery, and callbacks about them. */
@Module({ controllers: [OrderCallbacksController, OrdersController] })
export class OrdersModule {}
