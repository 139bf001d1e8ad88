import { Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import type { AuditedCategory } from '../../../libs/application/history/audited.js';
import { GetPastState, GetStreamHistory } from '../../../libs/application/history/history.queries.js';
import { withScope } from '../http/admission/access.js';
import type { CallOf, OperationRequest } from '../http/call.js';
import { PageQuery } from '../http/collection.dto.js';
import { collectionJson, digestTag, pageRequest, pageUrls } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { Problem } from '../http/problems/problem.js';
import type { PublicAddress } from '../http/public-address.js';
import { publicPhotos } from '../../../libs/projections/photo-references.js';
import { PRIVATE_REVALIDATE, sendRead } from '../http/responses.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { AuditedState, MomentQuery, StreamHistory, validateMoment } from './audit.dto.js';
import { STATE_EXAMPLE, STREAM_HISTORY_EXAMPLE } from './audit.examples.js';
import { auditorOf } from './auditor.js';

const NO_STREAM =
  'There is no stream with this name. ' +
  'Only pets, orders, payments, adoption applications, accounts and webhook endpoints have a history.';
const NO_STATE = 'There is no such resource, or it did not exist at that moment.';

/** The fields that all operations of this controller share. Each read is recorded as a security event (contract 35.10). */
const AUDIT = { access: withScope('audit:read'), security: 'audit-read', tag: 'Audit', method: 'GET' } as const;

/** The fields that all operations on past states share. */
const PAST_STATE = {
  ...AUDIT,
  idForm: 'any',
  description:
    'Returns the state at the time `asOf` or after the event with the number `revision`. ' +
    'If neither parameter is sent, returns the present state. ' +
    'The response is 404 for a moment before the creation or after the deletion.',
  query: queryShapeOf(MomentQuery, [validateMoment]),
  success: { status: 200, description: 'The state', schema: AuditedState, example: STATE_EXAMPLE },
  problems: [{ notFound: NO_STATE }],
} as const;

/** Reads the history of resources for auditors (contract 35.10 to 35.12). */
@Controller()
export class HistoryController {
  constructor(
    private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    ...AUDIT,
    id: 'getStreamHistory',
    path: '/v1/audit/streams/{stream}',
    idForm: 'any',
    summary: 'Read the history of a resource',
    description: 'Returns the events of the resource, oldest first, each with its changes. The history of an order includes its payments.',
    query: queryShapeOf(PageQuery),
    success: { status: 200, description: 'A page of events', schema: StreamHistory, example: STREAM_HISTORY_EXAMPLE },
    problems: [{ notFound: NO_STREAM }],
  })
  async history({ call }: OperationRequest<{ query: PageQuery }>, reply: FastifyReply): Promise<void> {
    const { page, limit } = pageRequest(call.query);
    const found = await this.queries.execute(new GetStreamHistory(call.id, page, limit, auditorOf(call)));
    if (!found) throw new Problem('not-found', NO_STREAM);
    const urls = pageUrls(`${this.address.url}/v1/audit/streams/${encodeURIComponent(call.id)}`, call.query, limit);
    const json = publicPhotos(collectionJson(found, { page, limit }, urls), this.address.url);
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }

  @Operation({ ...PAST_STATE, id: 'getPastPet', path: '/v1/audit/pets/{id}', summary: 'Read a pet as it was' })
  pet({ call }: OperationRequest<{ query: MomentQuery }>, reply: FastifyReply): Promise<void> {
    return this.sendState('pet', call, reply);
  }

  @Operation({ ...PAST_STATE, id: 'getPastOrder', path: '/v1/audit/orders/{id}', summary: 'Read an order as it was' })
  order({ call }: OperationRequest<{ query: MomentQuery }>, reply: FastifyReply): Promise<void> {
    return this.sendState('order', call, reply);
  }

  @Operation({ ...PAST_STATE, id: 'getPastPayment', path: '/v1/audit/payments/{id}', summary: 'Read a payment as it was' })
  payment({ call }: OperationRequest<{ query: MomentQuery }>, reply: FastifyReply): Promise<void> {
    return this.sendState('payment', call, reply);
  }

  @Operation({ ...PAST_STATE, id: 'getPastAdoption', path: '/v1/audit/adoptions/{id}', summary: 'Read an adoption application as it was' })
  adoption({ call }: OperationRequest<{ query: MomentQuery }>, reply: FastifyReply): Promise<void> {
    return this.sendState('adoption', call, reply);
  }

  @Operation({ ...PAST_STATE, id: 'getPastUser', path: '/v1/audit/users/{id}', summary: 'Read an account as it was' })
  user({ call }: OperationRequest<{ query: MomentQuery }>, reply: FastifyReply): Promise<void> {
    return this.sendState('user', call, reply);
  }

  private async sendState(category: AuditedCategory, call: CallOf<{ query: MomentQuery }>, reply: FastifyReply): Promise<void> {
    const state = await this.queries.execute(new GetPastState(category, call.id, call.query, auditorOf(call)));
    if (!state) throw new Problem('not-found', NO_STATE);
    const json = publicPhotos(JSON.stringify(state), this.address.url);
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }
}
