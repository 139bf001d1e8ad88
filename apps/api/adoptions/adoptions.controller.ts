import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { DeleteAdoption, CreateAdoption } from '../../../libs/application/adoptions/adoption.commands.js';
import { ListAdoptions } from '../../../libs/application/adoptions/adoption.queries.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { ANY_TOKEN_WHEN_STRICT, APPLICANT, withScope } from '../http/admission/access.js';
import type { OperationRequest } from '../http/call.js';
import { pageRequest, sendPage } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import type { PublicAddress } from '../http/public-address.js';
import { PRIVATE_REVALIDATE, sendCreated, sendNoContent, sendRead } from '../http/responses.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import {
  Adoption,
  AdoptionCollection,
  adoptionFilter,
  AdoptionListQuery,
  AdoptionRequest,
  newAdoptionInput,
  SubmittedAdoption,
} from './adoption.dto.js';
import { ADOPTION_COLLECTION_EXAMPLE, ADOPTION_EXAMPLE, NEW_ADOPTION_EXAMPLE, SUBMITTED_ADOPTION_EXAMPLE } from './adoption.examples.js';
import { withManageToken } from './manage-token.js';
import { visibleAdoption } from './visible-adoption.js';

@Controller()
export class AdoptionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    id: 'listAdoptions',
    method: 'GET',
    path: '/v1/adoptions',
    access: withScope('write:pets'),
    tag: 'Adoptions',
    summary: 'List adoption applications',
    description: 'For staff. Newest first.',
    query: queryShapeOf(AdoptionListQuery),
    success: { status: 200, description: 'A page of applications', schema: AdoptionCollection, example: ADOPTION_COLLECTION_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: AdoptionListQuery }>, reply: FastifyReply): Promise<void> {
    const { page, limit } = pageRequest(call.query);
    const found = await this.queries.execute(new ListAdoptions(adoptionFilter(call.query), page, limit, call.tenant));
    sendPage(reply, found, call.query);
  }

  @Operation({
    id: 'createAdoption',
    method: 'POST',
    path: '/v1/adoptions',
    access: ANY_TOKEN_WHEN_STRICT,
    tag: 'Adoptions',
    summary: 'Apply for a pet',
    description:
      'The pet becomes PENDING, and nobody can order the pet. Several applications for one pet may be open. ' +
      'An application expires if staff do not decide it in time (14 days by default). ' +
      'Only this response shows the manageToken: store it. With this token, the applicant reads, withdraws and deletes the application. ' +
      'An OAuth client gets no manageToken. ' +
      'Without an access token, the body must have `applicant`.',
    body: shapeOf(AdoptionRequest),
    bodyExample: NEW_ADOPTION_EXAMPLE,
    idempotent: true,
    success: {
      status: 201,
      description: 'The application, with its token',
      schema: SubmittedAdoption,
      example: SUBMITTED_ADOPTION_EXAMPLE,
    },
    problems: ['applicant_required', 'pet_not_found', 'pet_not_available', 'already_applied', 'too_many_applications', 'adoption_erased'],
  })
  async create({ call }: OperationRequest<{ body: AdoptionRequest }>, reply: FastifyReply): Promise<void> {
    const { body, caller, tenant } = call;
    const input = { ...newAdoptionInput(body), ...(caller && { userId: caller.subject }) };
    const outcome = await this.commands.execute(new CreateAdoption(input, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    // An OAuth client gets no manageToken, because this token outlasts the access that the person gave to the client.
    // The person manages the application with a token of the account (contract 36.7).
    const submitted = caller?.client === undefined ? await withManageToken(this.commands, outcome, tenant) : outcome;
    sendCreated(reply, submitted, `${this.address.url}/v1/adoptions/${outcome.id}`);
  }

  @Operation({
    id: 'getAdoption',
    method: 'GET',
    path: '/v1/adoptions/{id}',
    access: APPLICANT,
    tag: 'Adoptions',
    summary: 'Read an adoption application',
    description: 'For the applicant, with the manageToken or an access token of the account that submitted the application, and for staff.',
    success: { status: 200, description: 'The application', schema: Adoption, example: ADOPTION_EXAMPLE },
    problems: ['adoption_not_found'],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const { json, etag } = await visibleAdoption(this.queries, call);
    sendRead(reply, json, etag, PRIVATE_REVALIDATE);
  }

  @Operation({
    id: 'deleteAdoption',
    method: 'DELETE',
    path: '/v1/adoptions/{id}',
    access: APPLICANT,
    tag: 'Adoptions',
    summary: 'Delete an adoption application',
    description:
      'For the applicant and for staff. Destroys the key of the applicant’s data, ' +
      'so that nobody can read the data again, not even in the history. ' +
      'An open application is withdrawn. The history keeps the record.',
    conditional: true,
    notForClients: true,
    success: { status: 204, description: 'The application is deleted' },
    problems: ['adoption_not_found'],
  })
  async delete({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    // The command does not check whether the caller is the applicant. Staff, for whom `ownerRestriction` is null, may erase any
    // applicant.
    if (call.ownerRestriction !== null) await visibleAdoption(this.queries, call);
    const rejection = await this.commands.execute(new DeleteAdoption(call.id, call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendNoContent(reply);
  }
}
