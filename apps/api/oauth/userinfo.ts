import type { FastifyReply, FastifyRequest } from 'fastify';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import type { TokenVerifier } from '../../../libs/ports/access-token.port.js';
import { foreignToken, scopeMissing, tokenInvalid, tokenMissing } from '../http/admission/authorization.js';
import { bearerToken } from '../http/admission/bearer-token.js';
import { JSON_TYPE } from '../http/responses.js';
import { CLAIMS, claimsOf, type Accounts } from './accounts.js';

type UserinfoDependencies = { readonly tokens: TokenVerifier; readonly accounts: Accounts };

/**
 * Sends the claims about the token's account (OpenID Connect Core, 5.3). oidc-provider cannot answer this request,
 * because it accepts only opaque access tokens, which it stores. The access tokens of this service are JWTs.
 */
export const answerUserinfo = async (
  { tokens, accounts }: UserinfoDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const token = bearerToken(request);
  if (token === undefined) throw tokenMissing();
  const caller = token === null ? null : await tokens.verify(token);
  if (!caller) throw tokenInvalid();
  if (typeof caller === 'string') throw foreignToken(caller);
  if (!caller.scopes.has('openid')) throw scopeMissing('openid');
  const account = await accounts.find(caller.subject, caller.tenant ?? SHARED_POOL);
  if (!account) throw tokenInvalid();
  const claimNames: readonly string[] = Object.entries(CLAIMS).flatMap(([scope, names]) => (caller.scopes.has(scope) ? names : []));
  const claims = Object.fromEntries(Object.entries(claimsOf(account)).filter(([name]) => claimNames.includes(name)));
  reply.code(200).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(JSON.stringify(claims));
};
