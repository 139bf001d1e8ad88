import { Module } from '@nestjs/common';
import { INVENTORY_QUERY_HANDLERS } from './inventory.queries.js';

/** The query handlers of the inventory. */
@Module({ providers: [...INVENTORY_QUERY_HANDLERS] })
export class InventoryHandlersModule {}
