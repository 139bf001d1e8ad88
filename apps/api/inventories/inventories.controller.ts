import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { GetInventory } from '../../../libs/application/inventory/inventory.queries.js';
import { PRIVATE_REVALIDATE, sendRead } from '../http/responses.js';
import type { OperationRequest } from '../http/call.js';
import { digestTag } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { ANY_TOKEN } from '../http/admission/access.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { INVENTORY, INVENTORY_STATUSES } from './inventory.dto.js';
import { InventoryQuery } from './inventory.dto.js';

@Controller()
export class InventoriesController {
  constructor(private readonly queries: QueryBus) {}

  @Operation({
    id: 'getInventory',
    method: 'GET',
    path: '/v1/inventories',
    // Any valid token may read the inventory (contract 14.1).
    access: ANY_TOKEN,
    tag: 'Inventory',
    summary: 'Read quantities by status',
    description: 'The number of pets by pet status, and the ordered quantities by order status.',
    query: queryShapeOf(InventoryQuery),
    // An invalid query is a 400 instead of a 422 (contract 4.3, 14.2).
    validationProblem: 'invalid-request',
    success: {
      status: 200,
      description: 'Quantities by status',
      schema: INVENTORY,
      example: { AVAILABLE: 12, PENDING: 2, ADOPTED: 5, NOT_AVAILABLE: 0, placed: 1, approved: 1, shipped: 0, delivered: 5 },
    },
    problems: [],
  })
  async get({ call }: OperationRequest<{ query: InventoryQuery }>, reply: FastifyReply): Promise<void> {
    const quantities = await this.queries.execute(new GetInventory(call.tenant));
    // The response has the statuses of the query, or all of them (contract 14.2).
    const picked = new Set<string>(call.query.status ?? INVENTORY_STATUSES);
    const json = JSON.stringify(
      Object.fromEntries(INVENTORY_STATUSES.filter((status) => picked.has(status)).map((status) => [status, quantities[status] ?? 0])),
    );
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }
}
