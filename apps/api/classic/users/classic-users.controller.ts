import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { CreateUser, DeleteUser, UpdateUser } from '../../../../libs/application/users/user.commands.js';
import { CreateUsers } from '../../../../libs/application/users/lists/create-users.js';
import { FindAccount, type AccountWithStatus } from '../../../../libs/application/users/user.queries.js';
import { isRejection } from '../../../../libs/eventsourcing/decider.js';
import { ACCOUNT, PUBLIC } from '../../http/admission/access.js';
import type { CallOf, OperationRequest } from '../../http/call.js';
import type { OperationRecord } from '../../http/operation.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { Problem } from '../../http/problems/problem.js';
import { rejectionProblem } from '../../http/problems/rejection-problems.js';
import { listShapeOf } from '../../http/validation/list-shape.js';
import { shapeOf } from '../../http/validation/shape.js';
import { sendClassicChange, sendClassicEmpty, sendClassicRead } from '../classic-responses.js';
import { accountIdOf, classicUser, type ClassicFields } from './classic-user.js';
import { changedProfile, ClassicUser, ClassicUserChanges, NewClassicUser, newUserInput } from './user.dto.js';
import { NEW_USER_EXAMPLE, USER_CHANGES_EXAMPLE, USER_EXAMPLE } from './user.examples.js';

/** The maximum number of users in one request (contract 39.7). For each user, the service hashes a password. */
const MAX_USERS = 10;

const USER = { status: 200, description: 'The user, without its password', schema: ClassicUser, example: USER_EXAMPLE } as const;

/** The fields that both operations share that create several users. */
const USERS = {
  access: PUBLIC,
  limit: 'classicCreateUsersWithListInput',
  method: 'POST',
  tag: 'Users',
  body: listShapeOf(NewClassicUser, MAX_USERS),
  bodyExample: [NEW_USER_EXAMPLE],
  success: { ...USER, description: 'The last user, without its password' },
  problems: ['name_taken'],
} as const satisfies Partial<OperationRecord>;

@Controller()
export class ClassicUsersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Operation({
    id: 'classicCreateUser',
    access: PUBLIC,
    limit: 'createUser',
    method: 'POST',
    path: '/api/v3/user',
    tag: 'Users',
    summary: 'Create a user',
    description:
      'The username and the email address must not be in use in the tenant. The service sets the id and ignores an id in the body.',
    body: shapeOf(NewClassicUser),
    bodyExample: NEW_USER_EXAMPLE,
    idempotent: true,
    success: USER,
    problems: ['name_taken', 'user_erased'],
  })
  async create({ call }: OperationRequest<{ body: NewClassicUser }>, reply: FastifyReply): Promise<void> {
    const { profile, password, userStatus } = newUserInput(call.body);
    const outcome = await this.commands.execute(
      new CreateUser(profile, password, call.context(), { operation: 'createClassicUser', userStatus }),
    );
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendClassicChange(reply, classicUser(outcome.json, outcome.fields as ClassicFields), outcome.replayed);
  }

  @Operation({
    ...USERS,
    id: 'classicCreateUsersWithListInput',
    path: '/api/v3/user/createWithList',
    summary: 'Create several users',
    description: `Creates at most ${MAX_USERS} users: either all or none of them. Returns the last user of the list.`,
  })
  async createWithList({ call }: OperationRequest<{ body: readonly NewClassicUser[] }>, reply: FastifyReply): Promise<void> {
    const users = call.body.map(newUserInput);
    const outcome = await this.commands.execute(new CreateUsers(users, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    const [number = 0, user] = [outcome.at(-1), users.at(-1)];
    sendClassicChange(reply, classicUser(JSON.stringify(user?.profile), { number, userStatus: user?.userStatus ?? null }));
  }

  @Operation({
    ...USERS,
    id: 'classicCreateUsersWithArrayInput',
    path: '/api/v3/user/createWithArray',
    summary: 'Create several users, at an older address',
    description: 'Does the same as createUsersWithListInput.',
  })
  async createWithArray(request: OperationRequest<{ body: readonly NewClassicUser[] }>, reply: FastifyReply): Promise<void> {
    await this.createWithList(request, reply);
  }

  @Operation({
    id: 'classicGetUserByName',
    method: 'GET',
    path: '/api/v3/user/{username}',
    access: ACCOUNT,
    idForm: 'name',
    tag: 'Users',
    summary: 'Read a user',
    description: 'Returns the user of the tenant with this username.',
    success: USER,
    problems: ['user_not_found'],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const account = await this.resolveName(call);
    sendClassicRead(reply, classicUser(account.json, account), false);
  }

  @Operation({
    id: 'classicUpdateUser',
    security: 'password-change',
    method: 'PUT',
    path: '/api/v3/user/{username}',
    access: ACCOUNT,
    notForClients: true,
    idForm: 'name',
    tag: 'Users',
    summary: 'Change a user',
    description: 'For the user itself and for operators. An OAuth client needs the scope `ops`. Changes only the members in the body.',
    body: shapeOf(ClassicUserChanges),
    bodyExample: USER_CHANGES_EXAMPLE,
    success: { ...USER, example: { ...USER_EXAMPLE, ...USER_CHANGES_EXAMPLE } },
    problems: ['user_not_found', 'name_taken'],
  })
  async update({ call }: OperationRequest<{ body: ClassicUserChanges }>, reply: FastifyReply): Promise<void> {
    const { password, userStatus } = call.body;
    await this.resolveName(call);
    const outcome = await this.commands.execute(new UpdateUser(call.id, changedProfile(call.body), password, call.context(), userStatus));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendClassicChange(reply, classicUser(outcome.json, outcome.fields as ClassicFields));
  }

  @Operation({
    id: 'classicDeleteUser',
    security: 'revocation',
    method: 'DELETE',
    path: '/api/v3/user/{username}',
    access: ACCOUNT,
    notForClients: true,
    idForm: 'name',
    tag: 'Users',
    summary: 'Delete a user',
    description:
      'For the user itself and for operators. An OAuth client needs the scope `ops`. ' +
      'Destroys the key of the personal data, so that nobody can read the data again.',
    success: { status: 200, description: 'The user is erased' },
    problems: ['user_not_found', 'last_staff'],
  })
  async delete({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    await this.resolveName(call);
    const rejection = await this.commands.execute(new DeleteUser(call.id, call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendClassicEmpty(reply);
  }

  /**
   * Returns the account with the username in the path. Replaces the username in `call.id` with the id of the account, or
   * with '' if there is no account. Security events contain `call.id`, and must not contain a username. Throws a 404
   * problem if there is no account, or if the caller may not see it (contract 5.8).
   */
  private async resolveName(call: CallOf<object> & { id: string }): Promise<AccountWithStatus> {
    const account = await this.queries.execute(new FindAccount({ username: call.id }, call.tenant));
    const id = account && accountIdOf(account.json);
    call.id = id ?? '';
    if (!account || (call.ownerRestriction !== null && id !== call.ownerRestriction))
      throw new Problem('not-found', 'There is no user with this name.');
    return account;
  }
}
