import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { ListParked, ListSkipped } from '../../../../libs/application/operations/parked.queries.js';
import { RetryParked, type RetryResults as RetryOutcomes } from '../../../../libs/application/operations/parked.commands.js';
import { SkipEvent, UnskipEvent, type SkipResult as SkipOutcome } from '../../../../libs/application/operations/skip.commands.js';
import { isRejection, type Rejection } from '../../../../libs/eventsourcing/decider.js';
import { OPERATORS } from '../../http/admission/access.js';
import type { OperationRequest } from '../../http/call.js';
import { digestTag } from '../../http/collections.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { rejectionProblem, type Reason } from '../../http/problems/rejection-problems.js';
import { JSON_TYPE, PRIVATE_REVALIDATE, sendRead } from '../../http/responses.js';
import { queryShapeOf } from '../../http/validation/query-shape.js';
import { shapeOf } from '../../http/validation/shape.js';
import {
  DEFAULT_LIMIT,
  NewRetry,
  NewSkip,
  NewUnskip,
  ParkedList,
  SkippedEvents,
  SkipResult,
  parkedFilter,
  ParkedQuery,
  retryChoice,
  RetryResults,
  validateChoice,
} from './parked.dto.js';
import {
  NEW_SKIP_EXAMPLE,
  NEW_UNSKIP_EXAMPLE,
  SKIP_RESULT_EXAMPLE,
  SKIPPED_EVENTS_EXAMPLE,
  NEW_RETRY_EXAMPLE,
  PARKED_LIST_EXAMPLE,
  RETRY_RESULTS_EXAMPLE,
} from './parked.examples.js';

/** Lists, retries and skips what could not be handled (contract 43.2, 43.3, 43.8). */
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
    idempotent: true,
    body: shapeOf(NewRetry, [validateChoice]),
    bodyExample: NEW_RETRY_EXAMPLE,
    success: { status: 200, description: 'The results', schema: RetryResults, example: RETRY_RESULTS_EXAMPLE, isComputed: true },
    problems: [],
  })
  async retry({ call }: OperationRequest<{ body: NewRetry }>, reply: FastifyReply): Promise<void> {
    const { trial = false, reason } = call.body;
    this.answer(await this.commands.execute(new RetryParked(retryChoice(call.body), trial, reason, call.context())), reply, { trial });
  }

  @Operation({
    id: 'listSkipped',
    method: 'GET',
    path: '/v1/ops/parked/skipped',
    access: OPERATORS,
    wholeStore: true,
    tag: 'Operations',
    summary: 'List the skipped events',
    description: 'For operators whose token has no tenant. Lists the events that read models and consumers leave out, since when and why.',
    success: { status: 200, description: 'The skipped events', schema: SkippedEvents, example: SKIPPED_EVENTS_EXAMPLE },
    problems: [],
  })
  async listSkipped(_: OperationRequest, reply: FastifyReply): Promise<void> {
    const json = JSON.stringify({ data: await this.queries.execute(new ListSkipped()) });
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }

  @Operation({
    id: 'skipEvent',
    method: 'POST',
    path: '/v1/ops/parked/skip',
    access: OPERATORS,
    wholeStore: true,
    tag: 'Operations',
    summary: 'Skip an event that is parked',
    description:
      'For operators whose token has no tenant. The read model or consumer leaves the event out from then on, and what waits behind it ' +
      'goes on. The event stays in the log. The first event of a stream cannot be skipped. Waits up to 10 seconds for the process that ' +
      'retries. A repeated request has no effect.',
    idempotent: true,
    body: shapeOf(NewSkip),
    bodyExample: NEW_SKIP_EXAMPLE,
    success: { status: 200, description: 'What became of the stream', schema: SkipResult, example: SKIP_RESULT_EXAMPLE, isComputed: true },
    problems: ['not_parked', 'stream_broken', 'projection_paused', 'rebuild_running', 'too_many_skipped'],
  })
  async skip({ call }: OperationRequest<{ body: NewSkip }>, reply: FastifyReply): Promise<void> {
    const { reason, ...skip } = call.body;
    this.answer(await this.commands.execute(new SkipEvent(skip, reason, call.context())), reply);
  }

  @Operation({
    id: 'unskipEvent',
    method: 'POST',
    path: '/v1/ops/parked/unskip',
    access: OPERATORS,
    wholeStore: true,
    tag: 'Operations',
    summary: 'Let a skipped event count again',
    description:
      'For operators whose token has no tenant. The read model folds the stream again from its first event, and parks it if the event ' +
      'still fails. A consumer does not handle again what it has passed. Waits up to 10 seconds for the process that projects.',
    idempotent: true,
    body: shapeOf(NewUnskip),
    bodyExample: NEW_UNSKIP_EXAMPLE,
    success: { status: 200, description: 'What became of the stream', schema: SkipResult, example: SKIP_RESULT_EXAMPLE, isComputed: true },
    problems: ['not_skipped', 'projection_paused', 'rebuild_running'],
  })
  async unskip({ call }: OperationRequest<{ body: NewUnskip }>, reply: FastifyReply): Promise<void> {
    const { reason, ...skip } = call.body;
    this.answer(await this.commands.execute(new UnskipEvent(skip, reason, call.context())), reply);
  }

  private answer(result: SkipOutcome | RetryOutcomes | Rejection<Reason>, reply: FastifyReply, more: object = {}): void {
    if (isRejection(result)) throw rejectionProblem(result);
    const { replayed, ...body } = result;
    if (replayed) reply.header('idempotent-replayed', 'true');
    reply
      .code(200)
      .header('cache-control', 'no-store')
      .header('content-type', JSON_TYPE)
      .send(JSON.stringify({ ...more, ...body }));
  }
}
