import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { ApproveAdoption, RejectAdoption, WithdrawAdoption } from '../../../libs/application/adoptions/adoption.commands.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { APPLICANT, withScope } from '../http/admission/access.js';
import type { OperationRequest } from '../http/call.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import { sendChanged } from '../http/responses.js';
import { Adoption } from './adoption.dto.js';
import { ADOPTION_EXAMPLE } from './adoption.examples.js';
import { visibleAdoption } from './visible-adoption.js';

/** Approves, rejects and withdraws adoption applications. */
@Controller()
export class AdoptionDecisionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Operation({
    id: 'approveAdoption',
    method: 'POST',
    path: '/v1/adoptions/{id}/approval',
    access: withScope('write:pets'),
    tag: 'Adoptions',
    summary: 'Approve an adoption application',
    description:
      'The pet becomes ADOPTED, and the other applications for the pet are rejected. ' +
      'If several applications for a pet are approved at the same time, one approval succeeds. ' +
      'The operation ignores a JSON body.',
    conditional: true,
    success: { status: 200, description: 'The application', schema: Adoption, example: { ...ADOPTION_EXAMPLE, status: 'approved' } },
    problems: ['adoption_not_found', 'adoption_decided', 'pet_not_held'],
  })
  async approve({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new ApproveAdoption(call.id, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendChanged(reply, outcome);
  }

  @Operation({
    id: 'rejectAdoption',
    method: 'POST',
    path: '/v1/adoptions/{id}/rejection',
    access: withScope('write:pets'),
    tag: 'Adoptions',
    summary: 'Reject an adoption application',
    description: 'If the pet has no other open application, the pet becomes AVAILABLE again. The operation ignores a JSON body.',
    conditional: true,
    success: {
      status: 200,
      description: 'The application',
      schema: Adoption,
      example: { ...ADOPTION_EXAMPLE, status: 'rejected', reason: 'declined' },
    },
    problems: ['adoption_not_found', 'adoption_decided'],
  })
  async reject({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new RejectAdoption(call.id, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendChanged(reply, outcome);
  }

  @Operation({
    id: 'withdrawAdoption',
    method: 'POST',
    path: '/v1/adoptions/{id}/withdrawal',
    access: APPLICANT,
    tag: 'Adoptions',
    summary: 'Withdraw an adoption application',
    description:
      'For the applicant and for staff. If the pet has no other open application, the pet becomes AVAILABLE again. ' +
      'The operation ignores a JSON body.',
    conditional: true,
    success: { status: 200, description: 'The application', schema: Adoption, example: { ...ADOPTION_EXAMPLE, status: 'withdrawn' } },
    problems: ['adoption_not_found', 'adoption_decided'],
  })
  async withdraw({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    // The command does not check whether the caller is the applicant. Staff, for whom `ownerRestriction` is null, may withdraw
    // any application.
    if (call.ownerRestriction !== null) await visibleAdoption(this.queries, call);
    const outcome = await this.commands.execute(new WithdrawAdoption(call.id, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendChanged(reply, outcome);
  }
}
