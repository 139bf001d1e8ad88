import { Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { CheckPassword } from '../../../libs/application/users/sign-in.query.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import type { TokenSigner } from '../../../libs/ports/access-token.port.js';
import { PUBLIC } from '../http/admission/access.js';
import { signInFailed } from '../http/admission/authorization.js';
import type { OperationRequest } from '../http/call.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { JSON_TYPE } from '../http/responses.js';
import { shapeOf } from '../http/validation/shape.js';
import { CLOCK, TOKEN_SIGNER } from '../tokens.js';
import { AccessToken, SignInBody } from './sign-in.dto.js';
import { ACCESS_TOKEN_EXAMPLE, SIGN_IN_EXAMPLE } from './sign-in.examples.js';

/** The scopes of an account's token (contract 5.5). Orders and the account itself need no scope, but their owner. */
const SCOPES = ['read:pets', 'chat:write'];
/** The lifetime of a token in seconds (contract 30.7). */
const LIFETIME = 86_400;

@Controller()
export class SignInController {
  constructor(
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(TOKEN_SIGNER) private readonly signer: TokenSigner,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'createAuthToken',
    method: 'POST',
    path: '/v1/auth/tokens',
    access: PUBLIC,
    rateLimit: { limit: 10, windowSeconds: 60 },
    tag: 'Users',
    summary: 'Sign in',
    description:
      'Returns an access token for 24 hours. The username is looked up in the tenant of X-Tenant-ID, to which the token is bound. ' +
      'A wrong username and a wrong password get the same response. Each caller may send 10 requests a minute.',
    body: shapeOf(SignInBody),
    bodyExample: SIGN_IN_EXAMPLE,
    readsOnly: true,
    success: { status: 201, description: 'The token', schema: AccessToken, example: ACCESS_TOKEN_EXAMPLE, withoutEtag: true },
    problems: [],
  })
  async create({ call: { body, tenant } }: OperationRequest<{ body: SignInBody }>, reply: FastifyReply): Promise<void> {
    const subject = await this.queries.execute(new CheckPassword(body.username, body.password, tenant));
    if (subject === null) throw signInFailed();
    const claims = { subject, scopes: SCOPES, expiresInSeconds: LIFETIME };
    const token = await this.signer.sign(tenant === SHARED_POOL ? claims : { ...claims, tenant });
    const expiresAt = new Date(this.clock.now().getTime() + LIFETIME * 1_000).toISOString();
    const json = JSON.stringify({ token, tokenType: 'Bearer', expiresAt } satisfies AccessToken);
    reply.code(201).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(json);
  }
}
