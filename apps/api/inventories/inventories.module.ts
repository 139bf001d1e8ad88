import { Module } from '@nestjs/common';
import { InventoriesController } from './inventories.controller.js';

/** Quantities by status. */
@Module({ controllers: [InventoriesController] })
export class InventoriesModule {}
