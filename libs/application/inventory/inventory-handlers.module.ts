import { Module } from '@nestjs/common';
import { INVENTORY_QUERY_HANDLERS } from './inventory.queries.js';

/** What can be asked for of the inventory. */
@Module({ providers: [...INVENTORY_QUERY_HANDLERS] })
export class InventoryHandlersModule {}
