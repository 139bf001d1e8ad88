import type { KoaContextWithOIDC } from 'oidc-provider';
import type { TokenVerifier } from '../../../../libs/ports/access-token.port.js';
import type { Grants } from '../grants.js';
import { tenantOf } from './provider.js';

/** The payload of a verified access token, as it is in the JWT. `sid` is the id of its session and of its grant. */
type Payload = { readonly client_id?: string; readonly sid?: string } & Readonly<Record<string, unknown>>;

/**
 * Answers requests to introspect (RFC 7662) or revoke (RFC 7009) an access token. oidc-provider authenticates the client of
 * the request, but answers `unsupported_token_type` for every JWT. This function replaces that answer. A confidential client
 * may introspect the tokens of its tenant, and every client may revoke its own tokens (contract 32.2).
 */
export const answerForAccessToken = async (ctx: KoaContextWithOIDC, tokens: TokenVerifier, grants: Grants): Promise<void> => {
  const { route, client, params } = ctx.oidc;
  const { error } = (ctx.body ?? {}) as { readonly error?: string };
  if (error !== 'unsupported_token_type' || !client || (route !== 'introspection' && route !== 'revocation')) return;
  const token = String(params?.['token']);
  const claims = await tokens.verify(token);
  const payload = claims === null || claims === 'foreign issuer' ? null : payloadOf(token);
  if (route === 'introspection') {
    const owner = typeof payload?.client_id === 'string' ? await ctx.oidc.provider.Client.find(payload.client_id) : undefined;
    const mayRead = client.clientAuthMethod !== 'none' && owner !== undefined && tenantOf(owner) === tenantOf(client);
    ctx.status = 200;
    ctx.body = payload && mayRead ? { active: true, token_type: 'Bearer', ...payload } : { active: false };
    return;
  }
  if (payload?.client_id === client.clientId && payload.sid !== undefined) await grants.end(payload.sid, ctx.req);
  ctx.status = 200;
  ctx.body = '';
};

/** Returns the payload of a JWT without verifying it. Throws if the token is no JWT. */
export const payloadOf = (token: string): Payload => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Payload;
