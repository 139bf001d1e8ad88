import * as oauth from 'openid-client';
import type { AccessToken } from '../../apps/api/sign-in/sign-in.dto.js';
import type { User } from '../../apps/api/users/user.dto.js';
import { Browser } from '../http/oauth-browser.js';
import { authorizationRequest, REDIRECT_URI, type RegisteredClient } from '../http/oauth-people.js';
import { caller, type Call, type JsonResponse } from '../servers/calling.js';
import type { RequestOptions } from '../servers/client.js';

/** The public URL of every service of a scene. Tokens contain it, so a copy of a service must have the same public URL. */
export const SCENE_URL = 'http://pets.example';
export const FIRST_PASSWORD = 'correct horse battery';
export const NEW_PASSWORD = 'another horse battery';
/** The tenant of the account scene-tom. The other accounts are in the shared pool. */
export const SCENE_TENANT = '6f1c0a52-7d0e-4b5a-9c3e-2f8d1b7a4e60';

/** A service that gets or has a scene. `operator` is a token with the scope ops that is bound to no tenant. */
export type SceneHost = { readonly url: string; readonly operator: string };

type Named = Readonly<Record<string, string>>;

/** Accounts, tokens, keys and OAuth clients in every state that a store can have. */
export type AccountsScene = {
  /** Ids of accounts by their usernames. */
  readonly users: Named;
  /** Access tokens that are valid. */
  readonly validTokens: Named;
  /** Access tokens that have ended. */
  readonly endedTokens: Named;
  /** Refresh tokens: one that can be used, one that was used, and one that was revoked. */
  readonly refreshTokens: { readonly unused: string; readonly used: string; readonly revoked: string };
  /** The newest access token of the grant to which `refreshTokens.unused` and `refreshTokens.used` belong. */
  readonly grantToken: string;
  readonly app: RegisteredClient;
  /** A confidential client. */
  readonly reader: RegisteredClient;
};

/** Returns a `fetch` that sends requests for the public URL to `url`, the address on which the service listens. */
const fetchFrom =
  (url: string): typeof fetch =>
  (target, init) =>
    fetch(String(target instanceof Request ? target.url : target).replace(SCENE_URL, url), init);

/** Reads the OAuth metadata of a service. Returns the configuration with which a client uses the service. */
export const connectAs = async (url: string, { id, secret }: RegisteredClient): Promise<oauth.Configuration> => {
  const credentials = secret === undefined ? oauth.None() : oauth.ClientSecretBasic(secret);
  return oauth.discovery(new URL(SCENE_URL), id, undefined, credentials, {
    execute: [oauth.allowInsecureRequests],
    [oauth.customFetch]: fetchFrom(url) as oauth.CustomFetch,
  });
};

/** Returns the body of a response. Rejects if the request failed. */
const succeed = async (response: Promise<JsonResponse>): Promise<JsonResponse['json']> => {
  const { status, text, json } = await response;
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return json;
};

export const register = async (call: Call, username: string, options: RequestOptions = {}): Promise<string> => {
  const body = { username, email: `${username}@example.com`, password: FIRST_PASSWORD, firstName: 'Kim' };
  return (await succeed(call('POST', '/v1/users', { ...options, body })))['id'] as User['id'];
};

const signIn = async (call: Call, username: string, password = FIRST_PASSWORD, tenant?: string): Promise<string> =>
  (await succeed(call('POST', '/v1/auth/tokens', { body: { username, password }, tenant })))['token'] as AccessToken['token'];

/** The tokens that a client gets. */
export type ClientTokens = { readonly access: string; readonly refresh: string };

const tokensOf = ({ access_token: access, refresh_token: refresh = '' }: oauth.TokenEndpointResponse): ClientTokens => ({
  access,
  refresh,
});

/** Signs a person in, and consents to the access of a client. Returns a function that exchanges the code. */
export const obtainCode = async (
  url: string,
  config: oauth.Configuration,
  username: string,
): Promise<(sender: oauth.Configuration) => Promise<ClientTokens>> => {
  const { url: address, verifier, state } = await authorizationRequest(config);
  const browser = new Browser(SCENE_URL, fetchFrom(url));
  const consent = await browser.submit(await browser.open(address.href), { username, password: FIRST_PASSWORD, action: 'sign-in' });
  const answer = new URL((await browser.submit(consent, { action: 'allow' })).url);
  const checks = { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true };
  return async (sender) => tokensOf(await oauth.authorizationCodeGrant(sender, answer, checks));
};

/** Signs a person in, and consents to the access of a client. Returns the tokens that the client gets. */
const authorize = async (url: string, config: oauth.Configuration, username: string): Promise<ClientTokens> =>
  (await obtainCode(url, config, username))(config);

/** Exchanges a refresh token. */
export const refresh = async (config: oauth.Configuration, token: string): Promise<ClientTokens> =>
  tokensOf(await oauth.refreshTokenGrant(config, token));

export const addClient = async ({ url, operator }: SceneHost, terms: object): Promise<RegisteredClient> => {
  const body = { redirectUris: [REDIRECT_URI], ...terms };
  return (await succeed(caller(url, operator)('POST', '/v1/ops/clients', { body }))) as unknown as RegisteredClient;
};

/** Returns a token whose signing key was removed after the sign-in. */
const signInWithRemovedKey = async (call: Call, operate: Call): Promise<string> => {
  const { id } = await succeed(operate('POST', '/v1/ops/keys/rotation?now=true'));
  const token = await signIn(call, 'scene-ann');
  await succeed(operate('POST', '/v1/ops/keys/rotation?now=true'));
  await succeed(operate('DELETE', `/v1/ops/keys/${String(id)}`));
  return token;
};

/**
 * Adds accounts, and rotates the keys twice. Ends tokens in each possible way, for example by a sign-out or a new password,
 * and makes valid tokens before and after these changes.
 */
const addAccounts = async ({ url, operator }: SceneHost): Promise<Pick<AccountsScene, 'users' | 'validTokens' | 'endedTokens'>> => {
  const [call, operate] = [caller(url), caller(url, operator)];
  const users: Record<string, string> = {};
  for (const username of ['scene-ann', 'scene-bob', 'scene-cleo', 'scene-dan']) users[username] = await register(call, username);
  users['scene-tom'] = await register(call, 'scene-tom', { tenant: SCENE_TENANT });
  const beforeRotation = await signIn(call, 'scene-ann');
  const [signedOut, beforeChange, beforeDisabling] = [
    await signIn(call, 'scene-ann'),
    await signIn(call, 'scene-bob'),
    await signIn(call, 'scene-dan'),
  ];
  const change = { token: beforeChange, body: { username: 'scene-rob', password: NEW_PASSWORD } };
  await succeed(call('PUT', `/v1/users/${users['scene-bob']}`, change));
  await succeed(call('DELETE', '/v1/auth/tokens/current', { token: signedOut }));
  for (const change of [`${users['scene-cleo']}/staff`, `${users['scene-dan']}/disabled`])
    await succeed(operate('PUT', `/v1/ops/users/${change}`));
  const ofRemovedKey = await signInWithRemovedKey(call, operate);
  const erased = await register(call, 'scene-eve');
  const beforeErasure = await signIn(call, 'scene-eve');
  await succeed(call('DELETE', `/v1/users/${erased}`, { token: beforeErasure }));
  const validTokens = {
    beforeRotation,
    afterChange: await signIn(call, 'scene-rob', NEW_PASSWORD),
    ofStaff: await signIn(call, 'scene-cleo'),
    ofTenant: await signIn(call, 'scene-tom', FIRST_PASSWORD, SCENE_TENANT),
  };
  return {
    users: { ...users, 'scene-eve': erased },
    validTokens,
    endedTokens: { signedOut, beforeChange, beforeDisabling, beforeErasure, ofRemovedKey },
  };
};

/** Adds the scene to a service. It takes a few seconds, because passwords are hashed. */
export const addScene = async (service: SceneHost): Promise<AccountsScene> => {
  const accounts = await addAccounts(service);
  const app = await addClient(service, { name: 'Pet Finder' });
  const reader = await addClient(service, { name: 'Reader', confidential: true });
  const removed = await addClient(service, { name: 'Removed' });
  await succeed(caller(service.url, service.operator)('DELETE', `/v1/ops/clients/${removed.id}`));
  const config = await connectAs(service.url, app);
  const granted = await authorize(service.url, config, 'scene-ann');
  const refreshed = await refresh(config, granted.refresh);
  const revoked = await authorize(service.url, config, 'scene-ann');
  await oauth.tokenRevocation(config, revoked.refresh);
  return {
    ...accounts,
    endedTokens: { ...accounts.endedTokens, revoked: revoked.access },
    refreshTokens: { unused: refreshed.refresh, used: granted.refresh, revoked: revoked.refresh },
    grantToken: refreshed.access,
    app,
    reader,
  };
};
