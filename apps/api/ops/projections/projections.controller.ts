import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { PauseProjection } from '../../../../libs/application/operations/projection.commands.js';
import { ListProjections } from '../../../../libs/application/operations/projection.queries.js';
import { OPERATORS } from '../../http/admission/access.js';
import type { CallOf, OperationRequest } from '../../http/call.js';
import { digestTag } from '../../http/collections.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { rejectionProblem } from '../../http/problems/rejection-problems.js';
import { PRIVATE_REVALIDATE, sendNoContent, sendRead } from '../../http/responses.js';
import { shapeOf } from '../../http/validation/shape.js';
import { ActionReason, ProjectionStates } from './projection.dto.js';
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

  private async change(call: CallOf<{ body: ActionReason }>, isPaused: boolean, reply: FastifyReply): Promise<void> {
    const rejection = await this.commands.execute(new PauseProjection(call.id, isPaused, call.body.reason, call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendNoContent(reply);
  }
}
