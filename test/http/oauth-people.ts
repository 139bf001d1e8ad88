import { randomUUID } from 'node:crypto';
import * as oauth from 'openid-client';
import type { OauthClient as ClientView, ClientRequest } from '../../apps/api/clients/client.dto.js';
import type { User } from '../../apps/api/users/user.dto.js';
import type { TestPetstore } from '../servers/test-petstore.js';
import { Browser, type Page } from './oauth-browser.js';

export const PASSWORD = 'correct horse battery';
export const REDIRECT_URI = 'http://127.0.0.1:4000/signed-in';

export type RegisteredClient = ClientView & { readonly secret?: string };

/** Creates an account. */
export const createPerson = async (store: TestPetstore, options: object = {}): Promise<User> => {
  const username = `ann-${randomUUID().slice(0, 8)}`;
  const body = { username, email: `${username}@example.com`, password: PASSWORD };
  return (await store.request<User>('POST', '/v1/users', { body, ...options })).json;
};

/** Registers a client. */
export const addClient = async (
  store: TestPetstore,
  fields: Partial<ClientRequest> = {},
  options: object = {},
): Promise<RegisteredClient> => {
  const body = { name: 'Pet Finder', redirectUris: [REDIRECT_URI], ...fields };
  const answer = await store.request<RegisteredClient>('POST', '/v1/ops/clients', { token: await store.token('ops'), body, ...options });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json;
};

/** Reads the metadata of the service with openid-client. Returns the configuration of the client. */
export const discover = (store: TestPetstore, { id, secret }: RegisteredClient): Promise<oauth.Configuration> =>
  oauth.discovery(new URL(store.url), id, undefined, secret === undefined ? oauth.None() : oauth.ClientSecretBasic(secret), {
    execute: [oauth.allowInsecureRequests],
  });

/** An authorization request, and the values with which the client checks the response. */
export type AuthorizationRequest = { readonly url: URL; readonly verifier: string; readonly state: string };

/** Builds an authorization request. */
export const authorizationRequest = async (
  config: oauth.Configuration,
  parameters: Readonly<Record<string, string>> = {},
): Promise<AuthorizationRequest> => {
  const verifier = oauth.randomPKCECodeVerifier();
  const state = oauth.randomState();
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email read:pets',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...parameters,
  });
  return { url, verifier, state };
};

/** Signs a person in on the page of an authorization request, and returns the next page. */
export const signIn = async (store: TestPetstore, url: URL, username: string, browser = new Browser(store.url)): Promise<Page> =>
  browser.submit(await browser.open(url.href), { username, password: PASSWORD, action: 'sign-in' });

/** Signs a person in, and gives the client access. Returns the redirect URI with the parameters of the authorization response. */
export const giveAccess = async (store: TestPetstore, url: URL, username: string): Promise<URL> => {
  const browser = new Browser(store.url);
  const consent = await signIn(store, url, username, browser);
  return new URL((await browser.submit(consent, { action: 'allow' })).url);
};

/** Completes the authorization code flow. */
export const authorize = async (
  store: TestPetstore,
  config: oauth.Configuration,
  username: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Awaited<ReturnType<typeof oauth.authorizationCodeGrant>>> => {
  const { url, verifier, state } = await authorizationRequest(config, parameters);
  const answer = await giveAccess(store, url, username);
  return oauth.authorizationCodeGrant(config, answer, { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true });
};
