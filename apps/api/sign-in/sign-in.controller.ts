import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import type { TokenSigner } from '../../../libs/ports/access-token.port.js';
import { PUBLIC } from '../http/admission/access.js';
import type { OperationRequest } from '../http/call.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { JSON_TYPE } from '../http/responses.js';
import { shapeOf } from '../http/validation/shape.js';
import { FAILED_ATTEMPTS, OUTSIDE_ISSUER, TOKEN_SIGNER } from '../tokens.js';
import { AccessToken, SignInBody } from './sign-in.dto.js';
import type { FailedAttempts } from './failed-attempts.js';
import { signIn } from './sign-in.js';
import { ACCESS_TOKEN_EXAMPLE, SIGN_IN_EXAMPLE } from './sign-in.examples.js';

@Controller()
export class SignInController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(TOKEN_SIGNER) private readonly signer: TokenSigner,
    @Inject(OUTSIDE_ISSUER) private readonly outsideIssuer: string | null,
    @Inject(FAILED_ATTEMPTS) private readonly failedAttempts: FailedAttempts,
  ) {}

  @Operation({
    id: 'createAuthToken',
    limit: 'createAuthToken',
    security: 'sign-in',
    method: 'POST',
    path: '/v1/auth/tokens',
    access: PUBLIC,
    tag: 'Users',
    summary: 'Sign in',
    description:
      'Returns an access token that is valid for 24 hours. ' +
      'The username is looked up in the tenant of X-Tenant-ID, and the token is bound to this tenant. ' +
      'A wrong username and a wrong password get the same response. ' +
      'Each network address may send 60 requests a minute, of which 10 may fail. After five failures from an address, each further attempt at the account waits longer, up to a minute.',
    body: shapeOf(SignInBody),
    bodyExample: SIGN_IN_EXAMPLE,
    readsOnly: true,
    success: { status: 201, description: 'The token', schema: AccessToken, example: ACCESS_TOKEN_EXAMPLE, isComputed: true },
    problems: [],
  })
  async create(request: OperationRequest<{ body: SignInBody }>, reply: FastifyReply): Promise<void> {
    const { commands, queries, signer, outsideIssuer, failedAttempts } = this;
    const { token, expiresAt } = await signIn({ commands, queries, signer, outsideIssuer, failedAttempts }, request.call.body, request);
    const json = JSON.stringify({ token, tokenType: 'Bearer', expiresAt } satisfies AccessToken);
    reply.code(201).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(json);
  }
}
