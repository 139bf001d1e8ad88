import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { IMPLICIT_MODE } from './implicit-request.js';
import { RESOURCE } from './provider.js';

/**
 * Adds the implicit flow, which oidc-provider lacks, as a response mode. oidc-provider runs the code flow, and the response
 * mode exchanges the code for an access token before it redirects (contract 32.6).
 */
export const addImplicitFlow = (provider: Provider): void => {
  provider.Client.prototype.responseModeAllowed = function (mode) {
    if (mode !== IMPLICIT_MODE) return this.responseModes?.includes(mode) === true;
    if (this['implicit'] !== true) throw new errors.UnauthorizedClient('the client is not registered for the implicit flow');
    return true;
  };
  provider.registerResponseMode(IMPLICIT_MODE, answerInFragment);
};

/** Redirects with a token or an error in the fragment (RFC 6749, 4.2.2). */
const answerInFragment = async (
  ctx: KoaContextWithOIDC,
  redirectUri: string,
  { code, ...payload }: Record<string, unknown>,
): Promise<void> => {
  const answer = { ...(code !== undefined && (await exchangeCode(ctx))), ...payload };
  const fragment = new URLSearchParams(Object.entries(answer).map(([name, value]): [string, string] => [name, String(value)]));
  const target = new URL(redirectUri);
  target.hash = fragment.toString();
  ctx.status = 303;
  ctx.set({ location: target.href, 'referrer-policy': 'no-referrer' });
  ctx.body = '';
};

/** Destroys the new code, and returns an access token for the grant of the code. */
const exchangeCode = async ({ oidc }: KoaContextWithOIDC) => {
  const { AuthorizationCode: code, Grant: grant, Client: client } = oidc.entities;
  if (!code?.accountId || !code.grantId || !grant || !client) throw new errors.InvalidRequest('the request gives no access');
  await code.destroy();
  const token = new oidc.provider.AccessToken({ accountId: code.accountId, grantId: code.grantId, client, gty: 'implicit' });
  token.resourceServer = oidc.resourceServers?.[RESOURCE];
  token.scope = grant.getResourceScopeFiltered(RESOURCE, oidc.requestParamScopes);
  oidc.entity('AccessToken', token);
  return { access_token: await token.save(), token_type: 'Bearer', expires_in: token.expiration, scope: token.scope };
};
