import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { EndSession } from '../../../libs/application/sessions/session.commands.js';
import { ListSessions } from '../../../libs/application/sessions/session.queries.js';
import { SUBJECT } from '../http/admission/access.js';
import type { OperationRequest } from '../http/call.js';
import { PageQuery } from '../http/collection.dto.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import type { PublicAddress } from '../http/public-address.js';
import { sendNoContent } from '../http/responses.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { sendSessions } from './send-sessions.js';
import { SessionCollection } from './session.dto.js';
import { SESSION_COLLECTION_EXAMPLE } from './sign-in.examples.js';

@Controller()
export class SessionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    id: 'endCurrentToken',
    security: 'revocation',
    method: 'DELETE',
    path: '/v1/auth/tokens/current',
    access: SUBJECT,
    tag: 'Users',
    summary: 'Sign out',
    description: 'Ends the session of the request’s token. Within a second, every process rejects the tokens of the session.',
    success: { status: 204, description: 'The session has ended' },
    problems: ['token_without_session'],
  })
  async signOut({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const { caller } = call;
    if (!caller?.signIn) throw rejectionProblem({ rejected: 'token_without_session' });
    await this.commands.execute(new EndSession(caller.signIn.sessionId, caller.subject, call.context()));
    sendNoContent(reply);
  }

  @Operation({
    id: 'listSessions',
    method: 'GET',
    path: '/v1/auth/sessions',
    access: SUBJECT,
    notForClients: true,
    tag: 'Users',
    summary: 'List your sessions',
    description: 'Returns the sessions of your account that have not ended. An OAuth client needs the scope `ops`.',
    query: queryShapeOf(PageQuery),
    success: { status: 200, description: 'A page of sessions', schema: SessionCollection, example: SESSION_COLLECTION_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: PageQuery }>, reply: FastifyReply): Promise<void> {
    const sessions = await this.queries.execute(new ListSessions(call.caller?.subject ?? '', null));
    sendSessions(reply, sessions, call, `${this.address.url}/v1/auth/sessions`);
  }

  @Operation({
    id: 'endSession',
    security: 'revocation',
    method: 'DELETE',
    path: '/v1/auth/sessions/{id}',
    access: SUBJECT,
    notForClients: true,
    tag: 'Users',
    summary: 'End one of your sessions',
    description: 'Within a second, every process rejects the tokens of the session. An OAuth client needs the scope `ops`.',
    success: { status: 204, description: 'The session has ended' },
    problems: ['session_not_found'],
  })
  async end({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const rejection = await this.commands.execute(new EndSession(call.id, call.caller?.subject ?? '', call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendNoContent(reply);
  }
}
