import { Module } from '@nestjs/common';
import { OrderCallbacksController } from './order-callbacks.controller.js';
import { OrdersController } from './orders.controller.js';

/** Serves the operations on orders, including order callbacks. */
@Module({ controllers: [OrdersController, OrderCallbacksController] })
export class OrdersModule {}
