import type { KoaContextWithOIDC } from 'oidc-provider';
import { SHARED_POOL } from '../../../../libs/eventsourcing/message.js';
import type { TokenClaims, TokenVerifier } from '../../../../libs/ports/access-token.port.js';
import { OPS } from '../../http/admission/access.js';
import type { Grants } from '../grants.js';
import { registeredScopes, tenantOf } from './provider.js';

type Client = NonNullable<KoaContextWithOIDC['oidc']['client']>;

/** The payload of a verified access token, as it is in the JWT. `sid` is the id of its session and of its grant. */
type Payload = { readonly client_id?: string; readonly sid?: string } & Readonly<Record<string, unknown>>;

/**
 * Answers requests to introspect (RFC 7662) or revoke (RFC 7009) an access token. oidc-provider authenticates the client of
 * the request, but answers `unsupported_token_type` for every JWT. This function replaces that answer. Every client may revoke its own
 * tokens (contract 32.2).
 */
export const answerForAccessToken = async (ctx: KoaContextWithOIDC, tokens: TokenVerifier, grants: Grants): Promise<void> => {
  const { route, client, params } = ctx.oidc;
  const { error } = (ctx.body ?? {}) as { readonly error?: string };
  if (error !== 'unsupported_token_type' || !client || (route !== 'introspection' && route !== 'revocation')) return;
  const token = String(params?.['token']);
  const claims = await tokens.verify(token);
  const valid = typeof claims === 'string' ? null : claims;
  const payload = valid && payloadOf(token);
  if (route === 'introspection') {
    ctx.status = 200;
    ctx.body = payload && mayIntrospect(client, valid) ? { active: true, token_type: 'Bearer', ...payload } : { active: false };
    return;
  }
  if (payload?.client_id === client.clientId && payload.sid !== undefined) await grants.end(payload.sid, ctx.req);
  ctx.status = 200;
  ctx.body = '';
};

/**
 * Returns whether a client may introspect an access token: a confidential client those of its tenant, of whatever caller. The token of an
 * operator that is bound to no tenant acts in all of them, so only a program with the scope `ops` may introspect it.
 */
const mayIntrospect = (client: Client, { tenant, scopes }: TokenClaims): boolean => {
  if (client.clientAuthMethod === 'none' || (tenant ?? SHARED_POOL) !== tenantOf(client)) return false;
  return tenant !== undefined || !scopes.has(OPS) || registeredScopes(client).includes(OPS);
};

/** Returns the payload of a JWT without verifying it. Throws if the token is no JWT. */
export const payloadOf = (token: string): Payload => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Payload;
