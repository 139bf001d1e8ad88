import type { Operation } from '../http/operation.js';
import { ANY_TOKEN } from '../http/pipeline/access.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { InventoryQuery } from './inventory.dto.js';

/** The operation on the inventory. */
export const INVENTORY_OPERATIONS = {
  getInventory: {
    method: 'GET',
    path: '/v1/inventories',
    // "It needs a bearer token."
    access: ANY_TOKEN,
    tag: 'Inventory',
    summary: 'Read quantities by status',
    description: 'How many pets have each pet status, and how much is ordered in each order status.',
    query: queryShapeOf(InventoryQuery),
    // "an unknown status is 400"
    violations: 'invalid-request',
    success: {
      status: 200,
      description: 'Quantities by status',
      schema: 'Inventory',
      example: { AVAILABLE: 12, PENDING: 2, ADOPTED: 5, NOT_AVAILABLE: 0, placed: 1, approved: 1, shipped: 0, delivered: 5 },
    },
    problems: [],
  },
} as const satisfies Readonly<Record<string, Operation>>;
