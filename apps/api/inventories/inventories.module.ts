import { Module } from '@nestjs/common';
import { InventoriesController } from './inventories.controller.js';

/** Serves the numbers of pets and orders by status. */
@Module({ controllers: [InventoriesController] })
export class InventoriesModule {}
