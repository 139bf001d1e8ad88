import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { ListAllDeliveries } from '../../../../libs/application/deliveries/delivery.queries.js';
import { DELIVERY_STATUSES } from '../../../../libs/deliveries/delivery.js';
import { OPERATORS } from '../../http/admission/access.js';
import type { OperationRequest } from '../../http/call.js';
import { digestTag } from '../../http/collections.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { fieldProblem } from '../../http/problems/problem.js';
import { PRIVATE_REVALIDATE, sendRead } from '../../http/responses.js';
import { queryShapeOf } from '../../http/validation/query-shape.js';
import { DEFAULT_LIMIT, OperatorsDeliveriesQuery, OperatorsDeliveryPage } from './deliveries.dto.js';
import { OPERATORS_DELIVERIES_EXAMPLE } from './deliveries.examples.js';

/** Lists the deliveries of all tenants (contract 43.13). */
@Controller()
export class OperatorsDeliveriesController {
  constructor(private readonly queries: QueryBus) {}

  @Operation({
    id: 'listAllDeliveries',
    method: 'GET',
    path: '/v1/ops/deliveries',
    access: OPERATORS,
    wholeStore: true,
    tag: 'Operations',
    summary: 'List the deliveries of all tenants',
    description:
      'For operators whose token has no tenant. Returns the deliveries to webhook endpoints and order callbacks, newest first, with their ' +
      'attempts and without what is sent.',
    query: queryShapeOf(OperatorsDeliveriesQuery),
    success: { status: 200, description: 'A page of deliveries', schema: OperatorsDeliveryPage, example: OPERATORS_DELIVERIES_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: OperatorsDeliveriesQuery }>, reply: FastifyReply): Promise<void> {
    const { status, after, limit = DEFAULT_LIMIT } = call.query ?? {};
    const page = await this.queries.execute(new ListAllDeliveries(status === undefined ? DELIVERY_STATUSES : [status], after, limit));
    if (!page)
      throw fieldProblem('invalid-request', [
        { field: 'after', message: 'must be a value of next from an earlier response', code: 'INVALID_FORMAT' },
      ]);
    const json = JSON.stringify(page);
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }
}
