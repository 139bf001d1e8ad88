import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { ListAllDeliveries } from '../../../../libs/application/deliveries/delivery.queries.js';
import { RedeliverForOperator } from '../../../../libs/application/operations/redelivery.commands.js';
import { DELIVERY_STATUSES } from '../../../../libs/deliveries/delivery.js';
import { isRejection } from '../../../../libs/eventsourcing/decider.js';
import { OPERATORS } from '../../http/admission/access.js';
import type { OperationRequest } from '../../http/call.js';
import { digestTag } from '../../http/collections.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { fieldProblem } from '../../http/problems/problem.js';
import { rejectionProblem } from '../../http/problems/rejection-problems.js';
import { PRIVATE_REVALIDATE, sendNoContent, sendRead } from '../../http/responses.js';
import { queryShapeOf } from '../../http/validation/query-shape.js';
import { shapeOf } from '../../http/validation/shape.js';
import { ActionReason } from '../projections/projection.dto.js';
import { DEFAULT_LIMIT, OperatorsDeliveriesQuery, OperatorsDeliveryPage } from './deliveries.dto.js';
import { OPERATORS_DELIVERIES_EXAMPLE } from './deliveries.examples.js';

/** Lists the deliveries of all tenants, and sends them again (contract 43.13). */
@Controller()
export class OperatorsDeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

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

  @Operation({
    id: 'redeliverForOperator',
    method: 'POST',
    path: '/v1/ops/deliveries/{deliveryId}/redelivery',
    access: OPERATORS,
    wholeStore: true,
    tag: 'Operations',
    summary: 'Redeliver a delivery of any tenant',
    description:
      'For operators whose token has no tenant. A worker sends the delivery to its webhook endpoint again, whatever its status, with the ' +
      'same webhook-id, so that the receiver can ignore a duplicate.',
    idempotent: true,
    body: shapeOf(ActionReason),
    bodyExample: { reason: 'the receiver lost it' },
    success: { status: 204, description: 'A worker sends it again' },
    problems: ['delivery_unknown', 'webhook_not_found', 'webhook_disabled', 'callback_not_repeatable'],
  })
  async redeliver({ call }: OperationRequest<{ body: ActionReason }>, reply: FastifyReply): Promise<void> {
    const done = await this.commands.execute(new RedeliverForOperator(call.id, call.body.reason, call.context()));
    if (isRejection(done)) throw rejectionProblem(done);
    if (done.replayed) reply.header('idempotent-replayed', 'true');
    sendNoContent(reply);
  }
}
