import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsString } from 'class-validator';
import { ORDER_STATUSES } from '../../../libs/domain/orders/order.events.js';
import { PET_STATUSES } from '../../../libs/domain/pets/pet.events.js';
import { Optional, Schema } from '../http/validation/rules.js';
import type { NamedSchema } from '../http/validation/schemas.js';

/** The keys of the inventory. Cancelled orders are not counted (contract 14.1). */
export const INVENTORY_STATUSES = [...PET_STATUSES, ...ORDER_STATUSES.filter((status) => status !== 'cancelled')] as const;

/** The query of the inventory. */
export class InventoryQuery {
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @IsIn(INVENTORY_STATUSES, { each: true })
  @Schema({
    description: 'The statuses that the response contains, separated by commas, in upper or lower case. The default is all statuses',
    examples: [['AVAILABLE', 'placed']],
  })
  readonly status?: readonly (typeof INVENTORY_STATUSES)[number][];
}

/** The schema of the inventory. */
export const INVENTORY: NamedSchema = {
  name: 'Inventory',
  schema: {
    type: 'object',
    description: 'The quantity of each status',
    properties: Object.fromEntries(INVENTORY_STATUSES.map((status) => [status, { type: 'integer', format: 'int32', minimum: 0 }])),
    additionalProperties: false,
  },
};
