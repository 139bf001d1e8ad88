import { Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { GetInventory } from '../../../libs/application/inventory/inventory.requests.js';
import { PRIVATE_REVALIDATE, sendRead } from '../http/answers.js';
import type { Asking } from '../http/call.js';
import { digestTag } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { INVENTORY_STATUSES } from './inventory.dto.js';

@Controller()
export class InventoriesController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Operation('getInventory')
  async get({ call }: Asking<'getInventory'>, reply: FastifyReply): Promise<void> {
    const quantities = await this.queries.execute(new GetInventory(call.tenant));
    // "`?status=` picks keys"
    const picked = new Set<string>(call.query.status ?? INVENTORY_STATUSES);
    const json = JSON.stringify(
      Object.fromEntries(INVENTORY_STATUSES.filter((status) => picked.has(status)).map((status) => [status, quantities[status] ?? 0])),
    );
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }
}
