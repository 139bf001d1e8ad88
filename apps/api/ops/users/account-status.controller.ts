import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { EndSession } from '../../../../libs/application/sessions/session.commands.js';
import { ListSessions } from '../../../../libs/application/sessions/session.queries.js';
import { ChangeAccountStatus, type StatusSwitch, UpdateUser } from '../../../../libs/application/users/user.commands.js';
import { FindAccount } from '../../../../libs/application/users/user.queries.js';
import { isRejection } from '../../../../libs/eventsourcing/decider.js';
import { OPERATORS } from '../../http/admission/access.js';
import type { CallOf, OperationRequest } from '../../http/call.js';
import { PageQuery } from '../../http/collection.dto.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { rejectionProblem } from '../../http/problems/rejection-problems.js';
import type { PublicAddress } from '../../http/public-address.js';
import { sendNoContent } from '../../http/responses.js';
import { queryShapeOf } from '../../http/validation/query-shape.js';
import { shapeOf } from '../../http/validation/shape.js';
import { sendSessions } from '../../sign-in/send-sessions.js';
import { SessionCollection } from '../../sign-in/session.dto.js';
import { SESSION_COLLECTION_EXAMPLE } from '../../sign-in/sign-in.examples.js';
import { PUBLIC_ADDRESS } from '../../tokens.js';
import { NewPassword } from './account.dto.js';
import { NEW_PASSWORD_EXAMPLE } from './account.examples.js';

/** The fields that the operations on one account share. */
const STATUS = { access: OPERATORS, idForm: 'any', tag: 'Operations', problems: ['user_not_found'] } as const;

/** Changes the status of accounts and ends their sessions, for operators (contract 30.8). */
@Controller()
export class AccountStatusController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    ...STATUS,
    id: 'grantStaff',
    security: 'grant',
    takesReason: true,
    method: 'PUT',
    path: '/v1/ops/users/{id}/staff',
    summary: 'Give an account the role of staff',
    description: 'Tokens of later sign-ins to the account have all scopes. A repeated request has no effect.',
    success: { status: 204, description: 'The account has the role of staff' },
  })
  grant({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    return this.change('GrantStaff', call, reply);
  }

  @Operation({
    ...STATUS,
    id: 'revokeStaff',
    security: 'revocation',
    takesReason: true,
    method: 'DELETE',
    path: '/v1/ops/users/{id}/staff',
    summary: 'Revoke the role of staff of an account',
    description:
      'The tokens of the account become invalid. The last enabled staff account keeps the role. A repeated request has no effect.',
    success: { status: 204, description: 'The account does not have the role of staff' },
    problems: ['user_not_found', 'last_staff'],
  })
  revoke({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    return this.change('RevokeStaff', call, reply);
  }

  @Operation({
    ...STATUS,
    id: 'disableAccount',
    security: 'revocation',
    takesReason: true,
    method: 'PUT',
    path: '/v1/ops/users/{id}/disabled',
    summary: 'Disable an account',
    description:
      'Nobody can sign in to the account, and its tokens become invalid. The last enabled staff account cannot be disabled. A repeated request has no effect.',
    success: { status: 204, description: 'The account is disabled' },
    problems: ['user_not_found', 'last_staff'],
  })
  disable({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    return this.change('DisableUser', call, reply);
  }

  @Operation({
    ...STATUS,
    id: 'enableAccount',
    security: 'grant',
    takesReason: true,
    method: 'DELETE',
    path: '/v1/ops/users/{id}/disabled',
    summary: 'Enable an account',
    description: 'The owner of the account can sign in again. A repeated request has no effect.',
    success: { status: 204, description: 'The account is enabled' },
  })
  enable({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    return this.change('EnableUser', call, reply);
  }

  @Operation({
    ...STATUS,
    id: 'setPassword',
    security: 'password-change',
    takesReason: true,
    method: 'PUT',
    path: '/v1/ops/users/{id}/password',
    summary: 'Set the password of an account',
    description: 'The tokens of earlier sign-ins become invalid.',
    body: shapeOf(NewPassword),
    bodyExample: NEW_PASSWORD_EXAMPLE,
    success: { status: 204, description: 'The account has the new password' },
  })
  async setPassword({ call }: OperationRequest<{ body: NewPassword }>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new UpdateUser(call.id, {}, call.body.password, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendNoContent(reply);
  }

  @Operation({
    ...STATUS,
    id: 'listAccountSessions',
    method: 'GET',
    path: '/v1/ops/users/{id}/sessions',
    summary: 'List the sessions of an account',
    description: 'Returns the sessions of the account that have not ended.',
    query: queryShapeOf(PageQuery),
    success: { status: 200, description: 'A page of sessions', schema: SessionCollection, example: SESSION_COLLECTION_EXAMPLE },
  })
  async sessions({ call }: OperationRequest<{ query: PageQuery }>, reply: FastifyReply): Promise<void> {
    if (!(await this.queries.execute(new FindAccount({ id: call.id }, call.tenant))))
      throw rejectionProblem({ rejected: 'user_not_found' });
    const sessions = await this.queries.execute(new ListSessions(call.id, call.tenant));
    sendSessions(reply, sessions, call, `${this.address.url}/v1/ops/users/${encodeURIComponent(call.id)}/sessions`);
  }

  @Operation({
    id: 'endAccountSession',
    security: 'revocation',
    takesReason: true,
    method: 'DELETE',
    path: '/v1/ops/sessions/{id}',
    access: OPERATORS,
    tag: 'Operations',
    summary: 'End a session of any account of the tenant',
    description: 'Within a second, every process rejects the tokens of the session.',
    success: { status: 204, description: 'The session has ended' },
    problems: ['session_not_found'],
  })
  async endSession({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    // With null in place of a user id, the session may belong to any account of the tenant.
    const rejection = await this.commands.execute(new EndSession(call.id, null, call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendNoContent(reply);
  }

  private async change(change: StatusSwitch, call: CallOf<object>, reply: FastifyReply): Promise<void> {
    const rejection = await this.commands.execute(new ChangeAccountStatus(call.id, change, call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendNoContent(reply);
  }
}
