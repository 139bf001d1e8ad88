import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'openid-client';
import type { User } from '../../apps/api/users/user.dto.js';
import { eventually } from '../eventually.js';
import { startServiceWithTwoApis, type TestPetstore } from '../servers/test-petstore.js';
import { Browser } from './oauth-browser.js';
import {
  addClient,
  authorizationRequest,
  authorize,
  createPerson,
  discover,
  giveAccess,
  PASSWORD,
  REDIRECT_URI,
  signIn,
} from './oauth-people.js';
import type { RegisteredClient } from './oauth-people.js';
import { REDIRECT_TRICKS } from './redirect-tricks.js';

let store: TestPetstore;
let second: TestPetstore;
let user: User;
let client: RegisteredClient;
let config: oauth.Configuration;
beforeAll(async () => {
  [store, second] = await startServiceWithTwoApis();
  user = await createPerson(store);
  client = await addClient(store);
  config = await discover(store, client);
});
afterAll(async () => {
  await second.stop();
  if (second !== store) await store.stop();
});

/** Opens an authorization request in a new browser. */
const open = (url: URL | string) => new Browser(store.url).open(String(url));

/** Sends a form to an endpoint of one of the two services (by default `store`). */
const post = async (path: string, fields: Record<string, string>, to = store) => {
  const answer = await fetch(to.url + path, { method: 'POST', body: new URLSearchParams(fields) });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, json: (text ? JSON.parse(text) : {}) as Record<string, string> };
};

/** Gets an authorization code. Returns the form that exchanges it for tokens. */
const codeForm = async () => {
  const { url, verifier } = await authorizationRequest(config);
  const code = (await giveAccess(store, url, user.username)).searchParams.get('code') ?? '';
  return { grant_type: 'authorization_code', client_id: client.id, code, code_verifier: verifier, redirect_uri: REDIRECT_URI };
};
const refreshForm = (token: string) => ({ grant_type: 'refresh_token', client_id: client.id, refresh_token: token });
const whoAmI = async (token: string) => (await store.request('GET', '/v1/users/me', { token })).status;

/** Proves contract 32.2. */
describe('PKCE', () => {
  it.each([
    ['is required', { code_challenge: '', code_challenge_method: '' }],
    ['rejects a challenge with the method plain', { code_challenge_method: 'plain' }],
    ['rejects a challenge without a method', { code_challenge_method: '' }],
    ['rejects a challenge with an unknown method', { code_challenge_method: 'S512' }],
  ])('%s', async (_, change) => {
    const { url, state } = await authorizationRequest(config);
    for (const [name, value] of Object.entries(change)) {
      if (value === '') url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    const answer = new URL((await open(url)).url).searchParams;
    expect([answer.get('error'), answer.get('code'), answer.get('state')]).toEqual(['invalid_request', null, state]);
  });

  it.each([
    ['another verifier', { code_verifier: oauth.randomPKCECodeVerifier() }],
    ['no verifier', { code_verifier: '' }],
  ])('rejects a code with %s', async (_, change) => {
    const { status, json } = await post('/oauth/token', { ...(await codeForm()), ...change });
    expect([status, json['error']]).toEqual([400, 'invalid_grant']);
  });
});

/** Proves contract 32.4. */
describe('a redirect URI', () => {
  it.each(REDIRECT_TRICKS)('is rejected without a redirect: %j', async (uri) => {
    const { url } = await authorizationRequest(config);
    url.searchParams.set('redirect_uri', uri);
    const page = await open(url);
    expect([page.status, page.headers.get('location'), new URL(page.url).origin]).toEqual([400, null, store.url]);
  });

  it('is rejected if it is sent twice', async () => {
    const { url } = await authorizationRequest(config);
    url.searchParams.append('redirect_uri', 'https://evil.example/');
    expect([400, store.url]).toEqual([(await open(url)).status, new URL((await open(url)).url).origin]);
  });

  it('of an app on this computer may have any port (RFC 8252, 7.3)', async () => {
    const { url } = await authorizationRequest(config, { redirect_uri: REDIRECT_URI.replace('4000', '50123') });
    expect((await open(url)).html).toContain('Sign in');
  });

  it('must be the same at the token endpoint', async () => {
    const { json } = await post('/oauth/token', { ...(await codeForm()), redirect_uri: REDIRECT_URI.replace('4000', '50123') });
    expect(json['error']).toBe('invalid_grant');
  });

  it('is required; without it, or with an unknown client, the error is a page and not a redirect', async () => {
    for (const [name, value] of [
      ['redirect_uri', null],
      ['client_id', randomUUID()],
    ] as const) {
      const { url } = await authorizationRequest(config);
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
      const page = await open(url);
      expect([page.status, new URL(page.url).origin]).toEqual([400, store.url]);
    }
  });
});

/** Proves contract 32.2. */
describe('a code', () => {
  it('that is used twice ends the tokens of its first use', async () => {
    const form = await codeForm();
    const { json: tokens } = await post('/oauth/token', form);
    expect(await whoAmI(tokens['access_token'] ?? '')).toBe(200);
    expect((await post('/oauth/token', form)).json['error']).toBe('invalid_grant');
    expect(await whoAmI(tokens['access_token'] ?? '')).toBe(401);
    expect((await post('/oauth/token', refreshForm(tokens['refresh_token'] ?? ''))).json['error']).toBe('invalid_grant');
  });

  it('that two processes receive at the same time leaves no valid token', async () => {
    for (let round = 1; round <= 3; round++) {
      const form = await codeForm();
      const answers = await Promise.all([post('/oauth/token', form), post('/oauth/token', form, second)]);
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      for (const { json } of answers) {
        const { access_token: access, refresh_token: refresh } = json;
        if (access !== undefined) await eventually('the end of the token', async () => (await whoAmI(access)) === 401);
        if (refresh !== undefined) expect((await post('/oauth/token', refreshForm(refresh))).json['error']).toBe('invalid_grant');
      }
    }
  });

  it('of one client is rejected if another client sends it', async () => {
    const other = await addClient(store);
    expect((await post('/oauth/token', { ...(await codeForm()), client_id: other.id })).json['error']).toBe('invalid_grant');
  });
});

/** Proves contract 32.2. */
describe('a refresh token', () => {
  it('that is used again after the token that replaced it ends all tokens of the grant', async () => {
    const first = (await authorize(store, config, user.username)).refresh_token ?? '';
    const { json: next } = await post('/oauth/refresh', refreshForm(first));
    const { json: last } = await post('/oauth/refresh', refreshForm(next['refresh_token'] ?? ''));
    expect(await whoAmI(last['access_token'] ?? '')).toBe(200);
    expect((await post('/oauth/token', refreshForm(first))).json['error']).toBe('invalid_grant');
    expect((await post('/oauth/token', refreshForm(last['refresh_token'] ?? ''))).json['error']).toBe('invalid_grant');
    for (const { access_token: token = '' } of [next, last]) expect(await whoAmI(token)).toBe(401);
  });

  it('that two tabs use at the same time gives both of them tokens, which stay valid', async () => {
    const first = (await authorize(store, config, user.username)).refresh_token ?? '';
    const answers = await Promise.all([post('/oauth/token', refreshForm(first)), post('/oauth/token', refreshForm(first), second)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const { json } of answers) {
      expect(await whoAmI(json['access_token'] ?? '')).toBe(200);
      expect((await post('/oauth/token', refreshForm(json['refresh_token'] ?? ''))).status).toBe(200);
    }
  });

  it('gives at most five tokens, also in two processes at the same time; one use more ends them all', async () => {
    const first = (await authorize(store, config, user.username)).refresh_token ?? '';
    const uses = Array.from({ length: 8 }, (_, index) => post('/oauth/token', refreshForm(first), index % 2 === 0 ? store : second));
    const answers = await Promise.all(uses);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(5);
    expect((await post('/oauth/token', refreshForm(first))).json['error']).toBe('invalid_grant');
    for (const { json } of answers) {
      const { access_token: access, refresh_token: refresh } = json;
      if (access !== undefined) await eventually('the end of the token', async () => (await whoAmI(access)) === 401);
      if (refresh !== undefined) expect((await post('/oauth/token', refreshForm(refresh))).json['error']).toBe('invalid_grant');
    }
  });

  it('is not used by another client that sends it, and ends nothing then', async () => {
    const first = (await authorize(store, config, user.username)).refresh_token ?? '';
    await post('/oauth/token', refreshForm(first));
    const other = await addClient(store);
    expect((await post('/oauth/token', { ...refreshForm(first), client_id: other.id })).json['error']).toBe('invalid_grant');
    expect((await post('/oauth/token', refreshForm(first))).status).toBe(200);
  });

  it('is not active in an introspection after its use', async () => {
    const confidential = await addClient(store, { confidential: true });
    const itsConfig = await discover(store, confidential);
    const first = (await authorize(store, itsConfig, user.username)).refresh_token ?? '';
    const isActive = async () => (await oauth.tokenIntrospection(itsConfig, first)).active;
    const before = await isActive();
    await oauth.refreshTokenGrant(itsConfig, first);
    expect([before, await isActive()]).toEqual([true, false]);
  });

  it('cannot add a scope', async () => {
    const first = (await authorize(store, config, user.username)).refresh_token ?? '';
    expect((await post('/oauth/token', { ...refreshForm(first), scope: 'openid ops' })).json['error']).toBe('invalid_scope');
  });

  it('is invalid after a change of the password, and so is the access token', async () => {
    const person = await createPerson(store);
    const tokens = await authorize(store, config, person.username);
    const token = tokens.access_token;
    const change = { token: await store.token('ops'), body: { password: 'another horse battery' } };
    const changed = await store.request('PUT', `/v1/users/${person.id}`, change);
    expect([changed.status, await whoAmI(token)]).toEqual([200, 401]);
    expect((await post('/oauth/token', refreshForm(tokens.refresh_token ?? ''))).json['error']).toBe('invalid_grant');
  });
});

/** Proves contract 32.2 and contract 32.3. */
describe('an authorization response', () => {
  it('names its issuer, so that a client notices a mix-up (RFC 9207)', async () => {
    const { url, verifier, state } = await authorizationRequest(config);
    const answer = await giveAccess(store, url, user.username);
    expect(answer.searchParams.get('iss')).toBe(store.url);
    answer.searchParams.set('iss', 'https://evil.example');
    await expect(
      oauth.authorizationCodeGrant(config, answer, { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true }),
    ).rejects.toThrow();
  });

  it.each(['fragment', 'web_message', 'jwt'])('is not sent with the response_mode %s', async (mode) => {
    const { url } = await authorizationRequest(config, { response_mode: mode });
    const page = await open(url);
    expect([page.html.includes('Sign in<'), page.html.includes('<script')]).toEqual([false, false]);
  });

  it.each(['token', 'id_token', 'code token', 'code id_token', 'none'])('is an error for the response_type %s', async (type) => {
    const { url } = await authorizationRequest(config, { response_type: type, nonce: 'n' });
    const answer = new URL((await open(url)).url);
    expect(answer.href).toMatch(/unsupported_response_type|invalid_request/);
    expect(answer.href).not.toMatch(/access_token|code=/);
  });
});

/** Proves contract 32.3. */
describe('the pages', () => {
  it('reject a form whose form token is missing, guessed or from another browser, and a form without the cookie', async () => {
    const { url } = await authorizationRequest(config);
    const [victim, attacker] = [new Browser(store.url), new Browser(store.url)];
    const [page, theirs] = [await victim.open(url.href), await attacker.open(url.href)];
    const [, stolen = ''] = /name="form" value="([^"]*)"/.exec(theirs.html) ?? [];
    const fields = { username: user.username, password: PASSWORD, action: 'sign-in' };
    for (const form of ['', 'x'.repeat(43), stolen]) expect((await victim.submit(page, { ...fields, form })).status).toBe(400);
    expect((await new Browser(store.url).submit(page, fields)).status).toBe(400);
    expect((await victim.submit(page, fields)).html).toContain('Give access to');
  });

  it('cannot be framed, run no script and are not stored', async () => {
    const { url } = await authorizationRequest(config);
    const browser = new Browser(store.url);
    const login = await browser.open(url.href);
    const consent = await browser.submit(login, { username: user.username, password: PASSWORD, action: 'sign-in' });
    const pages = [login, consent, await browser.open(`${store.url}/oauth/device`), await open(`${store.url}/oauth/authorize`)];
    for (const { headers, html } of pages) {
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
      expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
      expect(html).not.toMatch(/<script|\son\w+=/);
    }
  });

  it('set cookies that scripts and other sites do not get', async () => {
    const browser = new Browser(store.url);
    await browser.open((await authorizationRequest(config)).url.href);
    expect(browser.cookies.size).toBeGreaterThan(0);
    for (const { attributes } of browser.cookies.values())
      expect(attributes.toLowerCase()).toMatch(/samesite=lax.*httponly|httponly.*samesite=lax/);
  });

  it('replace the session of the browser at a sign-in, which prevents session fixation', async () => {
    const attacker = new Browser(store.url);
    const other = await createPerson(store);
    await signIn(store, (await authorizationRequest(config)).url, other.username, attacker);
    const planted = attacker.cookies.get('_session')?.value;
    const consent = await signIn(store, (await authorizationRequest(config)).url, user.username, attacker);
    expect(consent.html).toContain(user.username);
    expect(attacker.cookies.get('_session')?.value).not.toBe(planted);
    const page = await attacker.open((await authorizationRequest(config)).url.href);
    expect(page.html).toContain('name="password"');
  });

  it('escape what clients and requests contain', async () => {
    const name = '<img src=x onerror=alert(1)>"\'&';
    const hostile = await discover(store, await addClient(store, { name }));
    const page = await open((await authorizationRequest(hostile)).url);
    expect(page.html).not.toContain('<img src=x');
    const error = await open(`${store.url}/oauth/authorize?client_id=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(error.html).not.toContain('<script');
  });
});

/** Proves contract 32.2. */
describe('a device code', () => {
  const initiate = async () => {
    const device = await discover(store, await addClient(store, { redirectUris: [], device: true }));
    return { device, codes: await oauth.initiateDeviceAuthorization(device, { scope: 'openid' }) };
  };

  it('that is polled too often gets slow_down', async () => {
    const { device, codes } = await initiate();
    const form = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: device.clientMetadata().client_id,
      device_code: codes.device_code,
    };
    const answers = [await post('/oauth/token', form), await post('/oauth/token', form), await post('/oauth/token', form, second)];
    expect(answers.map(({ json }) => json['error'])).toEqual(['authorization_pending', 'slow_down', 'slow_down']);
  });

  it('is not confirmed by a link, by a forged form or by a guessed code', async () => {
    const { codes } = await initiate();
    const browser = new Browser(store.url);
    const codePage = await browser.open(codes.verification_uri_complete ?? '');
    expect(codePage.html).toContain('Connect a device');
    const forged = await browser.open(`${store.url}/oauth/device`, {
      method: 'POST',
      body: new URLSearchParams({ xsrf: 'guess', user_code: codes.user_code, confirm: 'yes' }),
    });
    expect(forged.html).not.toContain('name="password"');
    const again = await browser.open(`${store.url}/oauth/device`);
    expect((await browser.submit(again, { user_code: 'BBBB-BBBB' })).html).toContain('This code is not known');
  });

  it.each([
    [
      'without a cookie, as a form of another site',
      '/oauth/device',
      { method: 'POST', body: new URLSearchParams({ user_code: 'BBBB-BBBB' }) },
    ],
    ['without a cookie and without a form', '/oauth/device', { method: 'POST' }],
    ['to a sign-in that has ended', '/oauth/device/ended', {}],
    ['with cookies that the service has not set', '/oauth/device/ended', { headers: { cookie: '_interaction_resume=ended; _session=a' } }],
  ] as const)('cannot be sent %s, which shows that the sign-in has expired', async (_, path, init) => {
    const { status, html, headers } = await new Browser(store.url).open(store.url + path, init);
    expect([status, html]).toEqual([400, expect.stringContaining('The sign-in has expired')]);
    expect(headers.getSetCookie()).toEqual([]);
  });
});
