import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'openid-client';
import type { User } from '../../apps/api/users/user.dto.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { Browser, type Page } from './oauth-browser.js';
import {
  addClient,
  authorizationRequest,
  authorize,
  createPerson,
  discover,
  REDIRECT_URI,
  signIn,
  type RegisteredClient,
} from './oauth-people.js';

let store: TestPetstore;
let user: User;
let client: RegisteredClient;
let config: oauth.Configuration;
beforeAll(async () => {
  store = await startTestPetstore();
  user = await createPerson(store);
  client = await addClient(store);
  config = await discover(store, client);
});
afterAll(() => store.stop());

/** Returns the fields of the form of a page, unescaped. */
const fieldsOf = ({ html }: Page): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [name, value]),
  );

const policyOf = ({ headers }: Page): readonly string[] => (headers.get('content-security-policy') ?? '').split('; ');

/** Gives a client access. Returns the page after that. */
const allow = async (url: URL): Promise<Page> => {
  const browser = new Browser(store.url);
  return browser.submit(await signIn(store, url, user.username, browser), { action: 'allow' });
};

/** Proves contract 32.2. */
describe('the response mode form_post', () => {
  it('sends the code by a page with a form, whose policy names only the redirect URI and its script', async () => {
    const { url, verifier, state } = await authorizationRequest(config, { response_mode: 'form_post' });
    const page = await allow(url);
    const [, script = ''] = /<script>([^<]*)<\/script>/.exec(page.html) ?? [];
    expect([page.status, page.html.includes(`action="${REDIRECT_URI}"`), page.html.includes('<button')]).toEqual([200, true, true]);
    expect(policyOf(page)).toEqual(
      expect.arrayContaining([
        `form-action ${new URL(REDIRECT_URI).origin}`,
        `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
        "default-src 'none'",
      ]),
    );
    const fields = fieldsOf(page);
    expect(fields).toEqual({ code: expect.any(String), state, iss: store.url });
    const tokens = await oauth.authorizationCodeGrant(
      config,
      new Request(REDIRECT_URI, { method: 'POST', body: new URLSearchParams(fields) }),
      { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true },
    );
    expect((await store.request<User>('GET', '/v1/users/me', { token: tokens.access_token })).json).toEqual(user);
  });

  it('sends an error by the same form, with the status 200 and with the state as it was', async () => {
    const state = `"><script>alert(1)</script>${randomUUID()}`;
    const { url } = await authorizationRequest(config, { response_mode: 'form_post', state, prompt: 'none' });
    const page = await new Browser(store.url).open(url.href);
    expect([page.status, page.html.includes('<script>alert')]).toEqual([200, false]);
    expect(fieldsOf(page)).toMatchObject({ error: 'login_required', iss: store.url });
    expect(fieldsOf(page)['state']?.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<')).toBe(state);
  });

  it('names no target in its policy for an app at [::1], because the syntax has no IPv6 address', async () => {
    const redirectUri = 'http://[::1]:4000/signed-in';
    const local = await discover(store, await addClient(store, { redirectUris: [redirectUri] }));
    const { url } = await authorizationRequest(local, { response_mode: 'form_post', redirect_uri: redirectUri });
    const page = await allow(url);
    expect([page.html.includes(`action="${redirectUri}"`), policyOf(page).filter((part) => part.startsWith('form-action'))]).toEqual([
      true,
      [],
    ]);
  });

  it('has no other name, and is not read from the address at which a sign-in continues', async () => {
    for (const mode of ['form-post-page', 'classic-implicit']) {
      const { url } = await authorizationRequest(config, { response_mode: mode });
      const answer = new URL((await new Browser(store.url).open(url.href)).url);
      expect([answer.hash, answer.searchParams.get('error')]).toEqual(['', 'unsupported_response_mode']);
    }
    for (const mode of ['fragment', 'form_post', 'form-post-page']) {
      const query = new URLSearchParams({ client_id: client.id, redirect_uri: REDIRECT_URI, response_mode: mode, state: 's' });
      const page = await new Browser(store.url).open(`${store.url}/oauth/authorize/unknown?${query.toString()}`);
      expect([page.status, new URL(page.url).origin, page.html.includes('This did not work')]).toEqual([400, store.url, true]);
    }
    const { url } = await authorizationRequest(config, { response_mode: 'form_post' });
    url.searchParams.append('response_mode', 'query');
    expect((await new Browser(store.url).open(url.href)).url).toContain('error=invalid_request');
  });

  it('is an error in the query for the redirect URI of an app, to which no browser can send a form', async () => {
    const redirectUri = 'com.example.finder:/signed-in';
    const app = await discover(store, await addClient(store, { redirectUris: [redirectUri] }));
    const { url } = await authorizationRequest(app, { response_mode: 'form_post', redirect_uri: redirectUri });
    const answer = new URL((await new Browser(store.url).open(url.href)).url);
    expect([answer.protocol, answer.searchParams.get('error')]).toEqual(['com.example.finder:', 'unsupported_response_mode']);
  });
});

/** Proves contract 32.2. */
describe('a response type that does not exist here', () => {
  it.each([
    ['token', {}],
    ['id_token', { nonce: 'n', response_mode: 'fragment' }],
    ['code token', { code_challenge: '' }],
    ['code id_token', { scope: 'nothing', prompt: 'none' }],
    ['none', { response_mode: 'web_message' }],
    ['CODE', { request: 'x' }],
    ['token', { response_mode: 'form-post-page' }],
  ])('is unsupported_response_type in the query, whatever else the request has: %s %j', async (type, more) => {
    const { url, state } = await authorizationRequest(config, { response_type: type, ...more });
    const answer = new URL((await new Browser(store.url).open(url.href)).url);
    const parameters = Object.fromEntries(answer.searchParams);
    expect([answer.origin + answer.pathname, answer.hash]).toEqual([REDIRECT_URI, '']);
    expect(parameters).toMatchObject({ error: 'unsupported_response_type', state, iss: store.url });
    expect(Object.keys(parameters)).not.toContain('code');
  });

  it('is sent by form_post if the request says so', async () => {
    const { url } = await authorizationRequest(config, { response_type: 'id_token', response_mode: 'form_post' });
    const page = await new Browser(store.url).open(url.href);
    expect([page.status, fieldsOf(page)['error']]).toEqual([200, 'unsupported_response_type']);
  });

  it('is a page, not a redirect, if the redirect URI is not registered', async () => {
    const { url } = await authorizationRequest(config, { response_type: 'token', redirect_uri: 'https://evil.example/' });
    const page = await new Browser(store.url).open(url.href);
    expect([page.status, new URL(page.url).origin]).toEqual([400, store.url]);
  });
});

const post = async (path: string, fields: Readonly<Record<string, string>>, authorization?: string) => {
  const headers = authorization === undefined ? {} : { authorization };
  const answer = await fetch(store.url + path, { method: 'POST', body: new URLSearchParams(fields), headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: (text ? JSON.parse(text) : {}) as Record<string, string> };
};
const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** Proves contract 32.2. */
describe('Basic with an empty secret', () => {
  const refreshForm = async () => ({
    grant_type: 'refresh_token',
    refresh_token: (await authorize(store, config, user.username)).refresh_token ?? '',
  });

  it('is the id of a public client, with and without the same id in the form', async () => {
    for (const form of [await refreshForm(), { ...(await refreshForm()), client_id: client.id }])
      expect((await post('/oauth/token', form, basic(client.id, ''))).status).toBe(200);
    expect((await post('/oauth/refresh', await refreshForm(), basic(client.id, ''))).status).toBe(200);
    expect((await post('/oauth/revocation', { token: 'unknown' }, basic(client.id, ''))).status).toBe(200);
  });

  it('is 401 with a challenge for a confidential client, an unknown one, and one whose form names another', async () => {
    const confidential = await addClient(store, { confidential: true });
    const form = await refreshForm();
    for (const [id, more] of [
      [confidential.id, {}],
      [randomUUID(), {}],
      [client.id, { client_id: confidential.id }],
      [client.id, { client_secret: 'x' }],
    ] as const) {
      const { status, json, headers } = await post('/oauth/token', { ...form, ...more }, basic(id, ''));
      expect([status, json['error'], headers.get('www-authenticate')]).toEqual([
        401,
        'invalid_client',
        expect.stringMatching(/^Basic realm="http/),
      ]);
    }
    expect((await post('/oauth/token', { ...form, client_id: client.id })).status).toBe(200);
  });
});

/** Proves contract 32.2. */
describe('a revocation', () => {
  it('has neither a body nor a content type, for each kind of token and for an unknown one', async () => {
    const tokens = await authorize(store, config, user.username);
    for (const token of [tokens.refresh_token ?? '', tokens.access_token, 'unknown', 'a.b.c']) {
      const { status, text, headers } = await post('/oauth/revocation', { token, client_id: client.id });
      expect([status, text, headers.get('content-type'), headers.get('content-length')]).toEqual([200, '', null, '0']);
    }
  });
});
