import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { AddClient, GetClient, ListClients, RemoveClient } from '../../../libs/application/oauth/client.handlers.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { OPERATORS } from '../http/admission/access.js';
import type { OperationRequest } from '../http/call.js';
import { PageQuery } from '../http/collection.dto.js';
import { digestTag, pageRequest, sendPage } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { fieldProblem, Problem } from '../http/problems/problem.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import type { PublicAddress } from '../http/public-address.js';
import { JSON_TYPE, PRIVATE_REVALIDATE, sendNoContent, sendRead } from '../http/responses.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { Client, ClientCollection, NewClient, newClientTerms, redirectUriErrors, RegisteredClient } from './client.dto.js';
import { CLIENT_COLLECTION_EXAMPLE, CLIENT_EXAMPLE, NEW_CLIENT_EXAMPLE, REGISTERED_CLIENT_EXAMPLE } from './client.examples.js';

/** Operations on the clients of the authorization server (contract 32.4). */
@Controller()
export class ClientsController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    id: 'listClients',
    method: 'GET',
    path: '/v1/ops/clients',
    access: OPERATORS,
    tag: 'Clients',
    summary: 'List OAuth clients',
    description: 'For operators. Newest first. Secrets are not shown.',
    query: queryShapeOf(PageQuery),
    success: { status: 200, description: 'A page of clients', schema: ClientCollection, example: CLIENT_COLLECTION_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: PageQuery }>, reply: FastifyReply): Promise<void> {
    const { page, limit } = pageRequest(call.query);
    const found = await this.queries.execute(new ListClients(page, limit, call.tenant));
    sendPage(reply, found, call.query, { url: `${this.address.url}/v1/ops/clients` });
  }

  @Operation({
    id: 'addClient',
    security: 'grant',
    method: 'POST',
    path: '/v1/ops/clients',
    access: OPERATORS,
    tag: 'Clients',
    summary: 'Register an OAuth client',
    description:
      'For operators. Accounts of the tenant of the request can sign in through this client. ' +
      'Only this response shows the secret of a confidential client: store the secret.',
    body: shapeOf(NewClient),
    bodyExample: NEW_CLIENT_EXAMPLE,
    idempotent: true,
    success: {
      status: 201,
      description: 'The client, with its secret if the client is confidential',
      schema: RegisteredClient,
      example: REGISTERED_CLIENT_EXAMPLE,
      withoutEtag: true,
    },
    problems: [],
  })
  async add({ call }: OperationRequest<{ body: NewClient }>, reply: FastifyReply): Promise<void> {
    const terms = newClientTerms(call.body);
    const errors = redirectUriErrors(terms);
    if (errors.length > 0) throw fieldProblem('validation-failed', errors);
    const outcome = await this.commands.execute(new AddClient(terms, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    if (outcome.replayed) reply.header('idempotent-replayed', 'true');
    reply
      .code(201)
      .header('location', `${this.address.url}/v1/ops/clients/${outcome.id}`)
      .header('cache-control', 'no-store')
      .header('content-type', JSON_TYPE)
      .send(outcome.json);
  }

  @Operation({
    id: 'getClient',
    method: 'GET',
    path: '/v1/ops/clients/{id}',
    access: OPERATORS,
    tag: 'Clients',
    summary: 'Read an OAuth client',
    description: 'For operators. The secret is not shown.',
    success: { status: 200, description: 'The client', schema: Client, example: CLIENT_EXAMPLE },
    problems: ['client_not_found'],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const json = await this.queries.execute(new GetClient(call.id, call.tenant));
    if (json === null) throw new Problem('not-found', 'There is no client with this id.');
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }

  @Operation({
    id: 'removeClient',
    security: 'revocation',
    method: 'DELETE',
    path: '/v1/ops/clients/{id}',
    access: OPERATORS,
    tag: 'Clients',
    summary: 'Remove an OAuth client',
    description: 'For operators. A removed client gets no new tokens, and its tokens end within a second.',
    success: { status: 204, description: 'The client is removed' },
    problems: ['client_not_found'],
  })
  async remove({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const rejection = await this.commands.execute(new RemoveClient(call.id, call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendNoContent(reply);
  }
}
