import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { CreateUser, DeleteUser, UpdateUser } from '../../../libs/application/users/user.commands.js';
import { GetUser, ListUsers } from '../../../libs/application/users/user.queries.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { ACCOUNT, ACCOUNT_WHEN_STRICT, OPERATORS, PUBLIC, SUBJECT } from '../http/admission/access.js';
import type { CallOf, OperationRequest } from '../http/call.js';
import { PageQuery } from '../http/collection.dto.js';
import { pageRequest, sendPage } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { rejectOtherId } from '../http/path-id.js';
import { Problem } from '../http/problems/problem.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import type { PublicAddress } from '../http/public-address.js';
import { PRIVATE_REVALIDATE, sendChanged, sendCreated, sendNoContent, sendRead } from '../http/responses.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { changedProfile, UserRequest, newUserProfile, User, UserChanges, UserCollection } from './user.dto.js';
import { NEW_USER_EXAMPLE, USER_CHANGES_EXAMPLE, USER_COLLECTION_EXAMPLE, USER_EXAMPLE } from './user.examples.js';

const NOT_FOUND = 'There is no account with this id.';

/**
 * Throws a 404 problem for an account that the caller may not access. The response is the same as for an unknown id, so
 * callers cannot find out which ids exist (contract 5.8). `ownerRestriction` is null if every account is permitted.
 */
const rejectOtherAccount = ({ id, ownerRestriction }: Pick<CallOf<object>, 'id' | 'ownerRestriction'>): void => {
  if (ownerRestriction !== null && id !== ownerRestriction) throw new Problem('not-found', NOT_FOUND);
};

@Controller()
export class UsersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    id: 'createUser',
    method: 'POST',
    path: '/v1/users',
    access: PUBLIC,
    limit: 'createUser',
    tag: 'Users',
    summary: 'Create an account',
    description:
      'The username and the email address must not be in use in the tenant. The password is stored only as a hash. ' +
      'Each network address may send 10 requests a minute.',
    body: shapeOf(UserRequest),
    bodyExample: NEW_USER_EXAMPLE,
    idempotent: true,
    success: { status: 201, description: 'The account, without its password', schema: User, example: USER_EXAMPLE },
    problems: ['name_taken', 'user_erased'],
  })
  async create({ call }: OperationRequest<{ body: UserRequest }>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new CreateUser(newUserProfile(call.body), call.body.password, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendCreated(reply, outcome, `${this.address.url}/v1/users/${outcome.id}`);
  }

  @Operation({
    id: 'listUsers',
    method: 'GET',
    path: '/v1/users',
    access: OPERATORS,
    tag: 'Users',
    summary: 'List accounts',
    description: 'For operators. Newest first.',
    query: queryShapeOf(PageQuery),
    success: { status: 200, description: 'A page of accounts', schema: UserCollection, example: USER_COLLECTION_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: PageQuery }>, reply: FastifyReply): Promise<void> {
    const { page, limit } = pageRequest(call.query);
    const found = await this.queries.execute(new ListUsers(page, limit, call.tenant));
    sendPage(reply, found, call.query, { url: `${this.address.url}/v1/users` });
  }

  @Operation({
    id: 'getCurrentUser',
    method: 'GET',
    path: '/v1/users/me',
    access: SUBJECT,
    tag: 'Users',
    summary: 'Read your account',
    description: 'Returns the account of the token’s subject. The response is 404 if the token was not issued for an account.',
    success: { status: 200, description: 'The account', schema: User, example: USER_EXAMPLE },
    problems: [{ notFound: 'The subject of the token has no account.' }],
  })
  async me({ call: { caller, tenant } }: OperationRequest, reply: FastifyReply): Promise<void> {
    await this.sendUser(caller?.subject ?? '', tenant, 'The subject of the token has no account.', reply);
  }

  @Operation({
    id: 'getUserById',
    method: 'GET',
    path: '/v1/users/{id}',
    access: ACCOUNT_WHEN_STRICT,
    idForm: 'any',
    tag: 'Users',
    summary: 'Read an account',
    description: 'The response is 404 for an id that no account has, even if the id is not a UUID.',
    success: { status: 200, description: 'The account', schema: User, example: USER_EXAMPLE },
    problems: ['user_not_found'],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    rejectOtherAccount(call);
    await this.sendUser(call.id, call.tenant, NOT_FOUND, reply);
  }

  @Operation({
    id: 'updateUser',
    security: 'password-change',
    method: 'PUT',
    path: '/v1/users/{id}',
    access: ACCOUNT,
    notForClients: true,
    idForm: 'any',
    tag: 'Users',
    summary: 'Change an account',
    description:
      'For the owner of the account and for operators. An OAuth client needs the scope `ops`. Changes only the fields in the body.',
    body: shapeOf(UserChanges),
    bodyExample: USER_CHANGES_EXAMPLE,
    conditional: true,
    success: { status: 200, description: 'The changed account', schema: User, example: { ...USER_EXAMPLE, ...USER_CHANGES_EXAMPLE } },
    problems: ['user_not_found', 'name_taken'],
  })
  async update({ call }: OperationRequest<{ body: UserChanges }>, reply: FastifyReply): Promise<void> {
    rejectOtherAccount(call);
    const { id, body } = call;
    rejectOtherId(body, id);
    const outcome = await this.commands.execute(new UpdateUser(id, changedProfile(body), body.password, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendChanged(reply, outcome);
  }

  @Operation({
    id: 'deleteUser',
    security: 'revocation',
    takesReason: true,
    method: 'DELETE',
    path: '/v1/users/{id}',
    access: ACCOUNT,
    notForClients: true,
    idForm: 'any',
    tag: 'Users',
    summary: 'Delete an account',
    description:
      'For the owner of the account and for operators. An OAuth client needs the scope `ops`. ' +
      'Destroys the key of the personal data, so that nobody can read the data again, not even in the history.',
    conditional: true,
    success: { status: 204, description: 'The account is erased' },
    problems: ['user_not_found', 'last_staff'],
  })
  async delete({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    rejectOtherAccount(call);
    const rejection = await this.commands.execute(new DeleteUser(call.id, call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendNoContent(reply);
  }

  private async sendUser(id: string, tenant: string, notFound: string, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetUser(id, tenant));
    if (!view) throw new Problem('not-found', notFound);
    sendRead(reply, view.json, view.etag, PRIVATE_REVALIDATE);
  }
}
