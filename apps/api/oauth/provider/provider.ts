import { errors, interactionPolicy, Provider, type Configuration, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider';
import type { PrivateJwk } from '../../../../libs/ports/signing-keys.port.js';
import { SHARED_POOL } from '../../../../libs/eventsourcing/message.js';
import { isSecretValid, programSubject, type FormerSecret } from '../../../../libs/application/oauth/clients.js';
import type { ProgramSessions } from '../../../../libs/application/oauth/program-sessions.js';
import { CLAIMS, toProviderAccount, type Accounts, type ProviderAccount } from '../accounts.js';
import { ADDRESSES } from '../addresses.js';
import { grantableScopes, TOKEN_SCOPES } from '../api-scopes.js';
import { prefixOf } from '../../http/public-address.js';
import { pageClients } from './page-clients.js';
import { GRANT_LIFETIME } from '../grants.js';
import { deviceFlow } from './device-flow.js';
import { errorHtml } from '../pages/error-page.js';
import { addFormPost } from './form-post.js';
import { FORMER_SECRET, PROGRAM_SCOPES, storageAdapter, type OAuthStorage } from './storage.js';

/** The resource of all access tokens. oidc-provider requires a URI for it. The audience in the tokens is `petstore`. */
export const RESOURCE = 'urn:petstore';
const AUDIENCE = 'petstore';

/** The kind of the tokens of programs. */
const CLIENT_CREDENTIALS = 'ClientCredentials';

/** The lifetime of an access token in seconds (contract 32.2). */
export const ACCESS_LIFETIME = 3_600;

/** Lifetimes in seconds (contract 32.2). */
const LIFETIMES = { code: 60, device: 600, access: ACCESS_LIFETIME, grant: GRANT_LIFETIME, signIn: 600 };

export type ProviderDependencies = {
  /** The issuer in ID tokens and the metadata: PUBLIC_URL, or the listening address without that setting. */
  readonly issuer: string;
  /** The issuer in access tokens (contract 5.2). Only in a cluster without PUBLIC_URL, it differs from `issuer`. */
  readonly tokenIssuer: string;
  readonly storage: OAuthStorage;
  readonly accounts: Accounts;
  readonly programs: Pick<ProgramSessions, 'forToken'>;
  readonly now: () => Date;
  /** The key that signs cookies. */
  readonly cookieKey: string;
  /** The published keys, first the one that signs: oidc-provider signs with the first key that fits the algorithm. */
  readonly signingKeys: readonly [PrivateJwk, ...PrivateJwk[]];
};

/** Creates the authorization server (contract 32). */
export const createProvider = (dependencies: ProviderDependencies): Provider => {
  const provider = new Provider(dependencies.issuer, configurationOf(dependencies));
  // Trusts X-Forwarded-Proto and X-Forwarded-Host. `koaRequest` sets them from the public address, never from the client.
  provider.proxy = true;
  addFormPost(provider);
  // The stored `client_secret` is a digest, see `metadataOf` in storage.ts.
  provider.Client.prototype.compareClientSecret = async function (secret: string) {
    const formerSecret = (this as unknown as { readonly [FORMER_SECRET]?: FormerSecret })[FORMER_SECRET];
    const stored = { ...(this.clientSecret !== undefined && { secretDigest: this.clientSecret }), ...(formerSecret && { formerSecret }) };
    return isSecretValid(stored, secret, dependencies.now());
  };
  return provider;
};

const configurationOf = (dependencies: ProviderDependencies): Configuration => ({
  adapter: storageAdapter(dependencies.storage),
  clients: pageClients(dependencies.issuer),
  jwks: { keys: dependencies.signingKeys.map((key) => ({ ...key })) },
  cookies: { keys: [dependencies.cookieKey], short: COOKIE, long: { ...COOKIE, path: prefixOf(dependencies.issuer) || '/' } },
  clientDefaults: { id_token_signed_response_alg: algorithmOf(dependencies) },
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  extraClientMetadata: { properties: ['tenant', 'implicit', PROGRAM_SCOPES, FORMER_SECRET] },
  enabledJWA: { idTokenSigningAlgValues: [algorithmOf(dependencies)] },
  claims: Object.fromEntries(Object.entries(CLAIMS)),
  scopes: ['openid', 'offline_access'],
  responseTypes: ['code'],
  routes: ROUTES,
  ttl: TTL,
  features: featuresOf(algorithmOf(dependencies)),
  pkce: { required: () => true },
  allowOmittingSingleRegisteredRedirectUri: false,
  // Refresh tokens end with their grant. They outlive the browser session in which the person signed in.
  expiresWithSession: () => false,
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  // Only a consent of the same sign-in counts. Grants of earlier sign-ins are not reused (contract 32.3).
  loadExistingGrant: async ({ oidc }) => {
    const grantId = oidc.result?.consent?.grantId;
    return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
  },
  async findAccount({ oidc }, id) {
    const account = await dependencies.accounts.find(id, tenantOf(oidc.client));
    return account ? toProviderAccount(account) : undefined;
  },
  ...tokenClaims(dependencies),
  interactions: { url: (_ctx, { uid }) => `${prefixOf(dependencies.issuer)}${ADDRESSES.interaction}/${uid}`, policy: policy() },
  renderError(ctx, { error }, failure) {
    ctx.type = 'html';
    ctx.body = errorHtml(failure instanceof errors.SessionNotFound ? 'expired' : error);
  },
});

/** Returns the configuration of the claims that access tokens have besides those of RFC 9068 (contract 5.2, 30.10). */
const tokenClaims = ({
  storage: { grants },
  programs,
  tokenIssuer,
}: Pick<ProviderDependencies, 'storage' | 'programs' | 'tokenIssuer'>): Pick<Configuration, 'extraTokenClaims' | 'formats'> => ({
  extraTokenClaims: async ({ oidc }, token) => {
    const tenant = tenantOf(oidc.client);
    const session =
      token.kind === CLIENT_CREDENTIALS
        ? await programs.forToken(String(token.clientId), (token.scope ?? '').split(' ').filter(Boolean))
        : await grants.session(String(token.grantId));
    // The grant and its session may have ended since the request began. In that case, no token is issued. A token can be
    // revoked only through its session, so a token without a session would stay valid until it expires.
    if (!session) throw new errors.InvalidGrant('the grant has ended');
    return { sid: session.id, rev: session.accountRevision, ...(tenant !== SHARED_POOL && { tenant }) };
  },
  formats: {
    customizers: {
      jwt: (_ctx, token, { payload }) => {
        payload.iss = tokenIssuer;
        if (token.kind === CLIENT_CREDENTIALS) payload.sub = programSubject(String(token.clientId));
      },
    },
  },
});

const COOKIE = { httpOnly: true, sameSite: 'lax', signed: true } as const;

const ROUTES = {
  authorization: ADDRESSES.authorize,
  token: ADDRESSES.token,
  device_authorization: ADDRESSES.deviceAuthorize,
  code_verification: ADDRESSES.device,
  revocation: ADDRESSES.revocation,
  introspection: ADDRESSES.introspection,
  userinfo: ADDRESSES.userinfo,
  jwks: ADDRESSES.jwks,
};

const TTL: Configuration['ttl'] = {
  AuthorizationCode: LIFETIMES.code,
  DeviceCode: LIFETIMES.device,
  AccessToken: LIFETIMES.access,
  ClientCredentials: LIFETIMES.access,
  IdToken: LIFETIMES.access,
  Grant: LIFETIMES.grant,
  // A new refresh token expires when the token that it replaces would have expired (contract 32.2).
  RefreshToken: ({ oidc }) => oidc.entities.RotatedRefreshToken?.remainingTTL ?? LIFETIMES.grant,
  Session: LIFETIMES.signIn,
  Interaction: LIFETIMES.signIn,
};

const algorithmOf = ({ signingKeys: [signing] }: ProviderDependencies): PrivateJwk['alg'] => signing.alg;

const featuresOf = (algorithm: PrivateJwk['alg']): NonNullable<Configuration['features']> => ({
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  clientCredentials: { enabled: true },
  deviceFlow,
  // Both policies below decide about refresh tokens only. `answerForAccessToken` answers requests that name an access token.
  revocation: {
    enabled: true,
    allowedPolicy: async (_ctx, client, token) => client.clientId === token.clientId,
  },
  introspection: {
    enabled: true,
    allowedPolicy: async (_ctx, client, token) => client.clientAuthMethod !== 'none' && client.clientId === token.clientId,
  },
  resourceIndicators: {
    enabled: true,
    defaultResource: async () => RESOURCE,
    useGrantedResource: async () => true,
    getResourceServerInfo: async (ctx, resource) => resourceServer(ctx, resource, algorithm),
  },
});

/**
 * Returns the registered scopes of a program (contract 32.9). A request without `scope` asks for all of them, and one beyond them is
 * invalid.
 */
const programScopes = (program: object | undefined, params: Record<string, unknown>): string => {
  const registered = registeredScopes(program);
  params['scope'] ||= registered.join(' ');
  const requested = String(params['scope']).split(' ').filter(Boolean);
  const beyond = requested.filter((scope) => !registered.includes(scope));
  if (beyond.length > 0) throw new errors.InvalidScope('the program is not registered for this scope', beyond.join(' '));
  return registered.join(' ');
};

/** Returns the scopes for which a program is registered. Other clients have none. */
export const registeredScopes = (client: object | undefined): readonly string[] => {
  const { [PROGRAM_SCOPES]: scopes = [] }: { readonly [PROGRAM_SCOPES]?: readonly string[] } = client ?? {};
  return scopes;
};

/**
 * Describes the only resource. Its scopes are those that the account may grant now, so that an access token has no scope
 * that the account has lost. Before the sign-in, the account is unknown and does not limit the scopes.
 */
const resourceServer = ({ oidc }: KoaContextWithOIDC, resource: string, alg: PrivateJwk['alg']): ResourceServer => {
  if (resource !== RESOURCE) throw new errors.InvalidTarget();
  const account = oidc.entities.Account as ProviderAccount | undefined;
  const grantable = account ? grantableScopes(account) : new Set(TOKEN_SCOPES);
  return {
    scope:
      oidc.params?.['grant_type'] === 'client_credentials'
        ? programScopes(oidc.client, oidc.params)
        : TOKEN_SCOPES.filter((scope) => grantable.has(scope)).join(' '),
    audience: AUDIENCE,
    accessTokenFormat: 'jwt',
    accessTokenTTL: LIFETIMES.access,
    jwt: { sign: { alg } },
  };
};

/**
 * Returns the policy that decides when a person must sign in. Every authorization requires the password, because the
 * service keeps no browser session between two authorizations (contract 32.3).
 */
const policy = (): interactionPolicy.DefaultPolicy => {
  const prompts = interactionPolicy.base();
  const freshSignIn = new interactionPolicy.Check('fresh_sign_in', 'signing in is required', 'login_required', ({ oidc }) =>
    oidc.result?.login ? interactionPolicy.Check.NO_NEED_TO_PROMPT : interactionPolicy.Check.REQUEST_PROMPT,
  );
  prompts.get('login')?.checks.add(freshSignIn);
  return prompts;
};

/** Returns the tenant of a client. Only accounts of this tenant can sign in with the client. */
export const tenantOf = (client: object | undefined): string =>
  client && 'tenant' in client && typeof client.tenant === 'string' ? client.tenant : SHARED_POOL;
