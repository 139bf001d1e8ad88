import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { ListStuck } from '../../../../libs/application/operations/stuck.queries.js';
import { OPERATORS } from '../../http/admission/access.js';
import type { OperationRequest } from '../../http/call.js';
import { digestTag } from '../../http/collections.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { PRIVATE_REVALIDATE, sendRead } from '../../http/responses.js';
import { queryShapeOf } from '../../http/validation/query-shape.js';
import { DEFAULT_LIMIT, DEFAULT_OLDER_THAN, StuckList, StuckQuery } from './stuck.dto.js';
import { STUCK_LIST_EXAMPLE } from './stuck.examples.js';

/** Lists what should have happened and has not (contract 43.9). */
@Controller()
export class StuckController {
  constructor(private readonly queries: QueryBus) {}

  @Operation({
    id: 'listStuck',
    method: 'GET',
    path: '/v1/ops/stuck',
    access: OPERATORS,
    wholeStore: true,
    tag: 'Operations',
    summary: 'List what is stuck',
    description:
      'For operators whose token has no tenant. Lists the orders, payments, applications, deliveries and claims that wait longer than ' +
      'they should, those that wait the longest first, each with since when, why and what helps. Their streams decide, not read models.',
    query: queryShapeOf(StuckQuery),
    success: { status: 200, description: 'What is stuck', schema: StuckList, example: STUCK_LIST_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: StuckQuery }>, reply: FastifyReply): Promise<void> {
    const { olderThan = DEFAULT_OLDER_THAN, limit = DEFAULT_LIMIT } = call.query ?? {};
    const json = JSON.stringify(await this.queries.execute(new ListStuck(olderThan * 1_000, limit)));
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }
}
