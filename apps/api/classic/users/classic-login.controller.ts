import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { EndSession } from '../../../../libs/application/sessions/session.commands.js';
import type { TokenSigner } from '../../../../libs/ports/access-token.port.js';
import { PUBLIC } from '../../http/admission/access.js';
import type { OperationRequest } from '../../http/call.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { queryShapeOf } from '../../http/validation/query-shape.js';
import { shapeOf } from '../../http/validation/shape.js';
import type { FailedAttempts } from '../../sign-in/failed-attempts.js';
import { checkedAccount, signIn } from '../../sign-in/sign-in.js';
import { REQUEST_LIMITS } from '../../http/admission/request-limits.js';
import { FAILED_ATTEMPTS, OUTSIDE_ISSUER, TOKEN_SIGNER } from '../../tokens.js';
import { sendClassicChange, sendClassicEmpty } from '../classic-responses.js';
import { ClassicLogin, ClassicLoginQuery } from './user.dto.js';
import { LOGIN_EXAMPLE } from './user.examples.js';

const TOKEN = { name: 'AccessToken', schema: { type: 'string', description: 'The token for the header Authorization' } };

/** The fields that both sign-in operations share. Requests count towards the limit of `POST /v1/auth/tokens` (contract 39.2). */
const LOGIN = {
  limit: 'createAuthToken',
  security: 'sign-in',
  path: '/api/v3/user/login',
  access: PUBLIC,
  tag: 'Users',
  success: { status: 200, description: 'An access token', schema: TOKEN, example: 'eyJhbGciOiJSUzI1NiJ9…', isComputed: true },
  problems: [],
} as const;

@Controller()
export class ClassicLoginController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(TOKEN_SIGNER) private readonly signer: TokenSigner,
    @Inject(OUTSIDE_ISSUER) private readonly outsideIssuer: string | null,
    @Inject(FAILED_ATTEMPTS) private readonly failedAttempts: FailedAttempts,
  ) {}

  @Operation({
    ...LOGIN,
    id: 'classicLoginUser',
    method: 'GET',
    summary: 'Sign in, with the password in the URL',
    description: 'Prefer the operation loginUserByForm, because proxies often log URLs. The service itself does not log queries.',
    query: queryShapeOf(ClassicLoginQuery),
    validationProblem: 'invalid-request',
  })
  async login(request: OperationRequest<{ query: ClassicLoginQuery }>, reply: FastifyReply): Promise<void> {
    await this.sendToken(request.call.query, request, reply);
  }

  @Operation({
    ...LOGIN,
    id: 'classicLoginUserByForm',
    method: 'POST',
    summary: 'Sign in',
    description: 'The body is a form or JSON.',
    body: shapeOf(ClassicLogin),
    bodyExample: LOGIN_EXAMPLE,
    form: true,
    readsOnly: true,
  })
  async loginByForm(request: OperationRequest<{ body: ClassicLogin }>, reply: FastifyReply): Promise<void> {
    await this.sendToken(request.call.body, request, reply);
  }

  @Operation({
    id: 'classicLogoutUser',
    security: 'revocation',
    method: 'GET',
    path: '/api/v3/user/logout',
    access: PUBLIC,
    tag: 'Users',
    summary: 'Sign out',
    description: 'Ends the session of the request’s token. Without a token, or with a token that has no session, nothing changes.',
    success: { status: 200, description: 'The session has ended' },
    problems: [],
  })
  async logout({ call, method }: OperationRequest, reply: FastifyReply): Promise<void> {
    const { caller } = call;
    // HEAD answers as GET and changes nothing (contract 2.7).
    if (caller?.signIn && method === 'GET')
      await this.commands.execute(new EndSession(caller.signIn.sessionId, caller.subject, call.context()));
    sendClassicEmpty(reply);
  }

  private async sendToken(login: ClassicLogin, request: OperationRequest, reply: FastifyReply): Promise<void> {
    const { commands, queries, signer, outsideIssuer, failedAttempts } = this;
    const dependencies = { commands, queries, signer, outsideIssuer, failedAttempts };
    // HEAD checks the password, and signs nobody in (contract 2.7).
    if (request.method === 'HEAD') {
      await checkedAccount(dependencies, login, request);
      return sendClassicEmpty(reply);
    }
    const { token, expiresAt } = await signIn(dependencies, login, request);
    reply.header('x-rate-limit', String(REQUEST_LIMITS.createAuthToken.limit)).header('x-expires-after', expiresAt);
    sendClassicChange(reply, token);
  }
}
