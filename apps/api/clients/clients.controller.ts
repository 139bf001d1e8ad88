import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { AddClient, ChangeClient, RemoveClient } from '../../../libs/application/oauth/client.commands.js';
import { GetClient, ListClients } from '../../../libs/application/oauth/client.queries.js';
import { RotateClientSecret } from '../../../libs/application/oauth/client-secrets.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { OPERATORS } from '../http/admission/access.js';
import type { OperationRequest } from '../http/call.js';
import { PageQuery } from '../http/collection.dto.js';
import { digestTag, pageRequest, sendPage } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { Problem } from '../http/problems/problem.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import type { PublicAddress } from '../http/public-address.js';
import { JSON_TYPE, PRIVATE_REVALIDATE, sendChanged, sendNoContent, sendRead } from '../http/responses.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import type { ClientTerms } from '../../../libs/application/oauth/clients.js';
import { OauthClient, ClientChanges, ClientCollection, ClientRequest, RegisteredClient, RotatedClient } from './client.dto.js';
import { checkGivenScopes, checkTerms, newClientTerms } from './client-terms.js';
import {
  CLIENT_CHANGES_EXAMPLE,
  CLIENT_COLLECTION_EXAMPLE,
  CLIENT_EXAMPLE,
  NEW_CLIENT_EXAMPLE,
  REGISTERED_CLIENT_EXAMPLE,
  ROTATED_CLIENT_EXAMPLE,
} from './client.examples.js';

/** Operations on the clients of the authorization server (contract 32.4). */
@Controller()
export class ClientsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
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
    takesReason: true,
    method: 'POST',
    path: '/v1/ops/clients',
    access: OPERATORS,
    tag: 'Clients',
    summary: 'Register an OAuth client',
    description:
      'For operators. Accounts of the tenant of the request can sign in through this client. A program signs nobody in: it gets tokens ' +
      'for itself, with scopes that the token of this request has. ' +
      'Only this response shows the secret of a confidential client: store the secret.',
    body: shapeOf(ClientRequest),
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
  async add({ call }: OperationRequest<{ body: ClientRequest }>, reply: FastifyReply): Promise<void> {
    const terms = newClientTerms(call.body);
    checkTerms(terms, call.caller);
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
    success: { status: 200, description: 'The client', schema: OauthClient, example: CLIENT_EXAMPLE },
    problems: ['client_not_found'],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const json = await this.read(call);
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }

  @Operation({
    id: 'updateClient',
    security: 'grant',
    takesReason: true,
    method: 'PUT',
    path: '/v1/ops/clients/{id}',
    access: OPERATORS,
    tag: 'Clients',
    summary: 'Change an OAuth client',
    description:
      'For operators. Changes the redirect URIs, the URIs after a sign-out, and the scopes of a program, which your token must have. ' +
      'Narrower scopes end the tokens of a program.',
    body: shapeOf(ClientChanges),
    bodyExample: CLIENT_CHANGES_EXAMPLE,
    success: { status: 200, description: 'The changed client', schema: OauthClient, example: CLIENT_EXAMPLE },
    problems: ['client_not_found'],
  })
  async update({ call }: OperationRequest<{ body: ClientChanges }>, reply: FastifyReply): Promise<void> {
    const client = JSON.parse(await this.read(call)) as ClientTerms;
    checkTerms({ ...client, ...call.body }, call.caller);
    const outcome = await this.commands.execute(new ChangeClient(call.id, call.body, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendChanged(reply, { ...outcome, etag: digestTag(outcome.json) });
  }

  @Operation({
    id: 'rotateClientSecret',
    security: 'grant',
    takesReason: true,
    method: 'POST',
    path: '/v1/ops/clients/{id}/secret',
    access: OPERATORS,
    tag: 'Clients',
    summary: 'Give an OAuth client a new secret',
    description:
      'For operators, who must have the scopes of a program. The former secret stays valid for 24 hours, so that the client can be ' +
      'changed without a break. A secret before that ends at once. Only this response shows the secret: store it. ' +
      'The operation ignores a JSON body.',
    idempotent: true,
    success: {
      status: 200,
      description: 'The client, with its new secret',
      schema: RotatedClient,
      example: ROTATED_CLIENT_EXAMPLE,
      withoutEtag: true,
    },
    problems: ['client_not_found', 'client_without_secret'],
  })
  async rotateSecret({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    checkGivenScopes(JSON.parse(await this.read(call)) as ClientTerms, call.caller);
    const outcome = await this.commands.execute(new RotateClientSecret(call.id, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    if (outcome.replayed) reply.header('idempotent-replayed', 'true');
    reply.code(200).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(outcome.json);
  }

  @Operation({
    id: 'removeClient',
    security: 'revocation',
    takesReason: true,
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

  private async read({ id, tenant }: OperationRequest['call']): Promise<string> {
    const json = await this.queries.execute(new GetClient(id, tenant));
    if (json === null) throw new Problem('not-found', 'There is no client with this id.');
    return json;
  }
}
