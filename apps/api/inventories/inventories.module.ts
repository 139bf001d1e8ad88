import { Module } from '@nestjs/common';
import { InventoriesController } from './inventories.controller.js';

/** Serves the number of pets by pet status, and the ordered quantities by order status. */
@Module({ controllers: [InventoriesController] })
export class InventoriesModule {}
