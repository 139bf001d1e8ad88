import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { DropFill, RebuildProjection, SwitchProjection } from '../../../../libs/application/operations/fill.commands.js';
import { isRejection, type Rejection } from '../../../../libs/eventsourcing/decider.js';
import type { Done } from '../../../../libs/application/operations/operator-actions.js';
import { PauseProjection } from '../../../../libs/application/operations/projection.commands.js';
import { ListProjections } from '../../../../libs/application/operations/projection.queries.js';
import { OPERATORS } from '../../http/admission/access.js';
import type { CallOf, OperationRequest } from '../../http/call.js';
import { digestTag } from '../../http/collections.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { rejectionProblem, type Reason } from '../../http/problems/rejection-problems.js';
import { PRIVATE_REVALIDATE, sendNoContent, sendRead } from '../../http/responses.js';
import { shapeOf } from '../../http/validation/shape.js';
import { ActionReason, DropReason, NewRebuild, NewSwitch, ProjectionStates } from './projection.dto.js';
import { PROJECTION_STATES_EXAMPLE, REASON_EXAMPLE } from './projection.examples.js';

/** The fields that the actions on one read model share. */
const ACTION = {
  method: 'POST',
  access: OPERATORS,
  wholeStore: true,
  idForm: 'any',
  tag: 'Operations',
  body: shapeOf(ActionReason),
  bodyExample: REASON_EXAMPLE,
  idempotent: true,
  conditional: true,
  problems: ['projection_not_found'],
} as const;

/** Shows read models to operators, and lets them pause them (contract 43.4, 43.5). */
@Controller()
export class ProjectionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Operation({
    id: 'listProjections',
    method: 'GET',
    path: '/v1/ops/projections',
    access: OPERATORS,
    wholeStore: true,
    tag: 'Operations',
    summary: 'List the read models',
    description:
      'For operators whose token has no tenant. Shows how far each read model is, which process projects it, and whether it is paused.',
    success: { status: 200, description: 'The read models', schema: ProjectionStates, example: PROJECTION_STATES_EXAMPLE },
    problems: [],
  })
  async list(_: OperationRequest, reply: FastifyReply): Promise<void> {
    const json = JSON.stringify({ data: await this.queries.execute(new ListProjections()) });
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }

  @Operation({
    ...ACTION,
    id: 'pauseProjection',
    path: '/v1/ops/projections/{projection}/pause',
    summary: 'Pause a read model',
    description:
      'For operators whose token has no tenant. From then on no event changes the read model, and no new version of it is filled, also ' +
      'after a restart. Writes do not wait for it. Responses that show it have the header `Consistency: stale`. A repeated request has ' +
      'no effect.',
    success: { status: 204, description: 'The read model is paused' },
  })
  pause({ call }: OperationRequest<{ body: ActionReason }>, reply: FastifyReply): Promise<void> {
    return this.change(call, true, reply);
  }

  @Operation({
    ...ACTION,
    id: 'resumeProjection',
    path: '/v1/ops/projections/{projection}/resume',
    summary: 'Resume a paused read model',
    description:
      'For operators whose token has no tenant. The read model catches up with the log, and then follows it again. A repeated request has ' +
      'no effect.',
    success: { status: 204, description: 'The read model is not paused' },
  })
  resume({ call }: OperationRequest<{ body: ActionReason }>, reply: FastifyReply): Promise<void> {
    return this.change(call, false, reply);
  }

  @Operation({
    ...ACTION,
    id: 'rebuildProjection',
    path: '/v1/ops/projections/{projection}/rebuild',
    summary: 'Rebuild a read model',
    description:
      'For operators whose token has no tenant. Fills the read model once more from the log, beside the one that queries read. When the ' +
      'fill has reached the end of the log, it is compared. If it is equal, it replaces the other one, unless `hold` is true. If it ' +
      'differs, it waits for a switch or a drop.',
    body: shapeOf(NewRebuild),
    bodyExample: { reason: 'a row is damaged' },
    success: { status: 204, description: 'The fill has begun' },
    problems: ['projection_not_found', 'projection_paused', 'rebuild_running'],
  })
  async rebuild({ call }: OperationRequest<{ body: NewRebuild }>, reply: FastifyReply): Promise<void> {
    const { hold = false, reason } = call.body;
    this.answer(await this.commands.execute(new RebuildProjection(call.id, hold, reason, call.context())), reply);
  }

  @Operation({
    ...ACTION,
    id: 'switchProjection',
    path: '/v1/ops/projections/{projection}/switch',
    summary: 'Switch to the fill of a read model, or back',
    description:
      'For operators whose token has no tenant. Queries read the fill from then on, in one step, also if it differs. What they read ' +
      'before is kept for a day at most, and receives all events. With `back`, queries read that again.',
    body: shapeOf(NewSwitch),
    bodyExample: { back: true, reason: 'the fill lacks prices' },
    success: { status: 204, description: 'Queries read the other one' },
    problems: ['projection_not_found', 'projection_paused', 'fill_not_ready', 'nothing_kept'],
  })
  async switch({ call }: OperationRequest<{ body: NewSwitch }>, reply: FastifyReply): Promise<void> {
    const { back = false, reason } = call.body;
    this.answer(await this.commands.execute(new SwitchProjection(call.id, back, reason, call.context())), reply);
  }

  @Operation({
    ...ACTION,
    id: 'dropFill',
    path: '/v1/ops/projections/{projection}/drop',
    summary: 'Drop the fill of a read model, or what is kept',
    description:
      'For operators whose token has no tenant. Ends a rebuild and removes its fill. Without a fill, removes what a fill has replaced.',
    body: shapeOf(DropReason),
    bodyExample: { reason: 'it is not needed' },
    success: { status: 204, description: 'It is dropped' },
    problems: ['projection_not_found', 'no_fill'],
  })
  async drop({ call }: OperationRequest<{ body: DropReason }>, reply: FastifyReply): Promise<void> {
    this.answer(await this.commands.execute(new DropFill(call.id, call.body.reason, call.context())), reply);
  }

  private answer(done: Done | Rejection<Reason>, reply: FastifyReply): void {
    if (isRejection(done)) throw rejectionProblem(done);
    if (done.replayed) reply.header('idempotent-replayed', 'true');
    sendNoContent(reply);
  }

  private async change(call: CallOf<{ body: ActionReason }>, isPaused: boolean, reply: FastifyReply): Promise<void> {
    this.answer(await this.commands.execute(new PauseProjection(call.id, isPaused, call.body.reason, call.context())), reply);
  }
}
