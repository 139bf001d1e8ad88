import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { ListParked } from '../../../../libs/application/operations/parked.queries.js';
import { RetryParked } from '../../../../libs/application/operations/parked.commands.js';
import { OPERATORS } from '../../http/admission/access.js';
import type { OperationRequest } from '../../http/call.js';
import { digestTag } from '../../http/collections.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { JSON_TYPE, PRIVATE_REVALIDATE, sendRead } from '../../http/responses.js';
import { queryShapeOf } from '../../http/validation/query-shape.js';
import { shapeOf } from '../../http/validation/shape.js';
import { DEFAULT_LIMIT, NewRetry, ParkedList, parkedFilter, ParkedQuery, retryChoice, RetryResults, validateChoice } from './parked.dto.js';
import { NEW_RETRY_EXAMPLE, PARKED_LIST_EXAMPLE, RETRY_RESULTS_EXAMPLE } from './parked.examples.js';

/** Lists and retries what could not be handled (contract 43.2, 43.3). */
@Controller()
export class ParkedController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Operation({
    id: 'listParked',
    method: 'GET',
    path: '/v1/ops/parked',
    access: OPERATORS,
    wholeStore: true,
    tag: 'Operations',
    summary: 'List what could not be handled',
    description:
      'For operators whose token has no tenant. Lists the streams that read models and the relay have parked, the keys that consumers ' +
      'have parked, and the deliveries of which no attempt follows, by name and cause, each with its event and error.',
    query: queryShapeOf(ParkedQuery),
    success: { status: 200, description: 'What is parked', schema: ParkedList, example: PARKED_LIST_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: ParkedQuery }>, reply: FastifyReply): Promise<void> {
    const { query } = call;
    const json = JSON.stringify(await this.queries.execute(new ListParked(parkedFilter(query ?? {}), query?.limit ?? DEFAULT_LIMIT)));
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }

  @Operation({
    id: 'retryParked',
    method: 'POST',
    path: '/v1/ops/parked/retry',
    access: OPERATORS,
    wholeStore: true,
    tag: 'Operations',
    summary: 'Retry what could not be handled',
    description:
      'For operators whose token has no tenant. Retries one item, those of one cause, or all, in order. Everything that is parked, except ' +
      'deliveries, is retried each minute anyway. Waits up to 10 seconds for the processes that retry. With `trial`, nothing changes.',
    body: shapeOf(NewRetry, [validateChoice]),
    bodyExample: NEW_RETRY_EXAMPLE,
    success: { status: 200, description: 'The results', schema: RetryResults, example: RETRY_RESULTS_EXAMPLE, isComputed: true },
    problems: [],
  })
  async retry({ call }: OperationRequest<{ body: NewRetry }>, reply: FastifyReply): Promise<void> {
    const { trial = false, reason } = call.body;
    const results = await this.commands.execute(new RetryParked(retryChoice(call.body), trial, reason, call.context()));
    reply.code(200).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(JSON.stringify({ trial, results }));
  }
}
