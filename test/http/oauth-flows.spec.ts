import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as oauth from 'openid-client';
import type { User } from '../../apps/api/users/user.dto.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { Browser } from './oauth-browser.js';
import { addClient, authorizationRequest, authorize, createPerson, discover, giveAccess, PASSWORD, signIn } from './oauth-people.js';

/** Seconds before a device asks for its tokens. The default of 5 s would only delay the tests. */
const SOON = 0.05;

let store: TestPetstore;
beforeAll(async () => {
  store = await startTestPetstore();
});
afterAll(() => store.stop());

/** Proves contract 32.2 and 32.3. Proves rows of contract 42.16 and 42.21. */
describe('the authorization code flow', () => {
  it('ends with tokens that the operations accept', async () => {
    const user = await createPerson(store);
    const config = await discover(store, await addClient(store));
    const tokens = await authorize(store, config, user.username);
    expect([tokens.token_type, tokens.expires_in, tokens.scope]).toEqual(['bearer', 3600, 'openid profile email read:pets']);
    expect((await store.request<User>('GET', '/v1/users/me', { token: tokens.access_token })).json).toEqual(user);
    expect(tokens.claims()).toMatchObject({ sub: user.id, preferred_username: user.username, email: user.email });
    expect(await oauth.fetchUserInfo(config, tokens.access_token, user.id)).toEqual({
      sub: user.id,
      name: user.username,
      preferred_username: user.username,
      email: user.email,
    });
  });

  it('issues tokens that permit staff only the operations of the requested scopes (contract 5.5)', async () => {
    const staff = await createPerson(store);
    await store.request('PUT', `/v1/ops/users/${staff.id}/staff`, { token: await store.token('ops') });
    const config = await discover(store, await addClient(store));
    const statuses: number[] = [];
    for (const scope of ['openid write:pets chat:write', 'openid read:pets']) {
      const { access_token: token } = await authorize(store, config, staff.username, { scope });
      const pet = { name: 'Luna', species: 'CAT', ageMonths: 3 };
      const chat = { messages: [{ role: 'user', content: 'Hello' }], stream: false };
      statuses.push((await store.request('POST', '/v1/pets', { token, body: pet })).status);
      statuses.push((await store.request('POST', '/v1/chat/completions', { token, body: chat })).status);
    }
    expect(statuses).toEqual([201, 201, 403, 403]);
  });

  it('issues access tokens in the form of RFC 9068', async () => {
    const user = await createPerson(store);
    const client = await addClient(store);
    const { access_token: token } = await authorize(store, await discover(store, client), user.username);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({ sub: user.id, aud: 'petstore', client_id: client.id });
    expect([typeof claims.jti, (claims.exp ?? 0) - (claims.iat ?? 0), claims['tenant']]).toEqual(['string', 3600, undefined]);
  });

  it('issues ID tokens with the session of the grant, which are no access tokens, also when refreshed (contract 32.2)', async () => {
    const user = await createPerson(store);
    const config = await discover(store, await addClient(store));
    const first = await authorize(store, config, user.username);
    const second = await oauth.refreshTokenGrant(config, first.refresh_token ?? '');
    for (const { id_token: idToken = '', access_token: accessToken } of [first, second]) {
      expect(decodeProtectedHeader(idToken)).toMatchObject({ alg: 'RS256', kid: decodeProtectedHeader(accessToken).kid });
      expect([decodeJwt(idToken)['sid'], typeof decodeJwt(idToken)['sid']]).toEqual([decodeJwt(accessToken)['sid'], 'string']);
      for (const path of ['/v1/users/me', '/oauth/userinfo'])
        expect((await store.request('GET', path, { token: idToken })).status).toBe(401);
    }
    expect(decodeJwt(second.id_token ?? '')['sid']).toBe(decodeJwt(first.id_token ?? '')['sid']);
  });

  it.each([undefined, ''])('requests the scope read:pets if the parameter scope is %j', async (scope) => {
    const user = await createPerson(store);
    const config = await discover(store, await addClient(store));
    const { url, verifier, state } = await authorizationRequest(config);
    url.searchParams.delete('scope');
    if (scope !== undefined) url.searchParams.set('scope', scope);
    const answer = await giveAccess(store, url, user.username);
    const tokens = await oauth.authorizationCodeGrant(config, answer, { pkceCodeVerifier: verifier, expectedState: state });
    expect([tokens.scope, decodeJwt(tokens.access_token)['scope']]).toEqual(['read:pets', 'read:pets']);
    expect((await store.request<User>('GET', '/v1/users/me', { token: tokens.access_token })).json).toEqual(user);
  });

  it('binds the tokens of a client to its tenant, and accepts only accounts of that tenant', async () => {
    const tenant = randomUUID();
    const [user, outsider] = [await createPerson(store, { tenant }), await createPerson(store)];
    const config = await discover(store, await addClient(store, {}, { tenant }));
    const { access_token: token } = await authorize(store, config, user.username);
    expect(decodeJwt(token)['tenant']).toBe(tenant);
    const page = await signIn(store, (await authorizationRequest(config)).url, outsider.username);
    expect([page.status, page.html]).toEqual([422, expect.stringContaining('The username or the password is wrong.')]);
  });

  it('names the tenant of a client on the pages', async () => {
    const tenant = randomUUID();
    const user = await createPerson(store, { tenant });
    const { url } = await authorizationRequest(await discover(store, await addClient(store, {}, { tenant })));
    const browser = new Browser(store.url);
    for (const { html } of [await browser.open(url.href), await signIn(store, url, user.username, browser)])
      expect(html).toContain(`Accounts of the tenant <code>${tenant}</code>`);
  });

  it('works for a confidential client, which needs its secret', async () => {
    const user = await createPerson(store);
    const client = await addClient(store, { confidential: true });
    expect((await authorize(store, await discover(store, client), user.username)).refresh_token).toEqual(expect.any(String));
    const wrong = await discover(store, { ...client, secret: 'wrong' });
    await expect(authorize(store, wrong, user.username)).rejects.toMatchObject({ code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE', status: 401 });
  });

  it('shows the name of the client and what its scopes permit, and returns access_denied if the person denies access', async () => {
    const user = await createPerson(store);
    const { url, state } = await authorizationRequest(await discover(store, await addClient(store)), {
      scope: 'openid read:pets write:pets',
    });
    const browser = new Browser(store.url);
    const consent = await signIn(store, url, user.username, browser);
    expect(consent.html).toContain('Give access to Pet Finder?');
    expect(consent.html).toContain('See the pets');
    expect(consent.html).toContain('The access ends after 30 days, or when you change your password.');
    expect(consent.html).not.toContain('tenant');
    expect(consent.html).not.toContain('Create, change and delete pets');
    const answer = new URL((await browser.submit(consent, { action: 'deny' })).url).searchParams;
    expect([answer.get('error'), answer.get('state'), answer.get('iss')]).toEqual(['access_denied', state, store.url]);
  });
});

/** Proves contract 32.2. */
describe('refreshing', () => {
  it('gives new tokens, at the token endpoint and at /oauth/refresh', async () => {
    const user = await createPerson(store);
    const client = await addClient(store);
    const config = await discover(store, client);
    const first = await authorize(store, config, user.username);
    const second = await oauth.refreshTokenGrant(config, first.refresh_token ?? '');
    expect((await store.request<User>('GET', '/v1/users/me', { token: second.access_token })).json.id).toBe(user.id);
    const third = await postForm('/oauth/refresh', { client_id: client.id, refresh_token: second.refresh_token ?? '' });
    expect([third.status, third.json]).toEqual([200, expect.objectContaining({ token_type: 'Bearer', refresh_token: expect.any(String) })]);
  });

  it('accepts only refresh tokens at /oauth/refresh', async () => {
    const { status, json } = await postForm('/oauth/refresh', { grant_type: 'authorization_code', code: 'x' });
    expect([status, json.error]).toEqual([400, 'unsupported_grant_type']);
  });

  it('is rejected after a revocation of the refresh token or of the access token', async () => {
    const user = await createPerson(store);
    const config = await discover(store, await addClient(store));
    for (const name of ['refresh_token', 'access_token'] as const) {
      const tokens = await authorize(store, config, user.username);
      await oauth.tokenRevocation(config, tokens[name] ?? '');
      await expect(oauth.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });
    }
  });
});

/** Proves contract 32.2. */
describe('introspection', () => {
  it('describes tokens to a confidential client of their tenant, and to no other client', async () => {
    const user = await createPerson(store);
    const app = await addClient(store);
    const tokens = await authorize(store, await discover(store, app), user.username);
    const { access_token: access, refresh_token: refresh = '', id_token: idToken = '' } = tokens;
    const reader = await discover(store, await addClient(store, { confidential: true }));
    expect(await oauth.tokenIntrospection(reader, access)).toMatchObject({ active: true, sub: user.id, client_id: app.id });
    // A refresh token is only for its own client.
    expect(await oauth.tokenIntrospection(reader, refresh)).toEqual({ active: false });
    const signedIn = { username: user.username, password: PASSWORD };
    const own = (await store.request<{ token: string }>('POST', '/v1/auth/tokens', { body: signedIn })).json.token;
    const operator = await store.token('read:pets', { subject: 'till' });
    for (const [token, sub] of [
      [own, user.id],
      [operator, 'till'],
    ] as const)
      expect(await oauth.tokenIntrospection(reader, token)).toMatchObject({ active: true, sub, token_type: 'Bearer' });
    // A token that acts in every tenant, one of another tenant, one that has ended, and an ID token.
    const unbound = await store.token('ops');
    const elsewhere = await store.token('read:pets', { tenant: randomUUID() });
    await store.request('DELETE', '/v1/auth/tokens/current', { token: own });
    for (const token of [unbound, elsewhere, own, idToken, 'manage_x'])
      expect(await oauth.tokenIntrospection(reader, token)).toEqual({ active: false });
    const outsider = await discover(store, await addClient(store, { confidential: true }, { tenant: randomUUID() }));
    for (const token of [access, refresh, 'x']) expect(await oauth.tokenIntrospection(outsider, token)).toEqual({ active: false });
  });
});

/** Proves contract 5.4 and contract 32.1. */
describe('the userinfo endpoint', () => {
  const REALM = 'Bearer realm="petstore"';

  it('returns the same WWW-Authenticate as every operation for a missing, invalid or insufficient token', async () => {
    const token = await store.token('read:pets');
    for (const [authorization, status, challenge] of [
      [undefined, 401, REALM],
      ['Bearer a.b.c', 401, expect.stringContaining(`${REALM}, error="invalid_token"`)],
      ['Basic YTpi', 401, expect.stringContaining('error="invalid_token"')],
      [[`Bearer ${token}`, `Bearer ${token}`], 401, expect.stringContaining('error="invalid_token"')],
      [`Bearer ${token}`, 403, `${REALM}, error="insufficient_scope", scope="openid"`],
    ] as const) {
      const response = await store.request('GET', '/oauth/userinfo', { headers: { ...(authorization && { authorization }) } });
      expect([authorization, response.status, response.headers['www-authenticate']]).toEqual([authorization, status, challenge]);
    }
  });
});

/** Proves contract 32.2. */
describe('the device code flow', () => {
  it('issues tokens to a device after a person has confirmed its code', async () => {
    const user = await createPerson(store);
    const config = await discover(store, await addClient(store, { redirectUris: [], device: true }));
    const device = await oauth.initiateDeviceAuthorization(config, { scope: 'openid read:pets' });
    expect([device.verification_uri, device.expires_in]).toEqual([`${store.url}/oauth/device`, 600]);
    const browser = new Browser(store.url);
    const codePage = await browser.open(device.verification_uri_complete ?? '');
    expect(codePage.html).toContain(`value="${device.user_code}"`);
    const confirmation = await browser.submit(codePage, { user_code: device.user_code.toLowerCase() });
    expect(confirmation.html).toContain('Is this your device?');
    const login = await browser.submit(confirmation, { confirm: 'yes' });
    const consent = await browser.submit(login, { username: user.username, password: PASSWORD, action: 'sign-in' });
    expect((await browser.submit(consent, { action: 'allow' })).html).toContain('Device connected');
    const tokens = await oauth.pollDeviceAuthorizationGrant(config, { ...device, interval: SOON });
    expect((await store.request<User>('GET', '/v1/users/me', { token: tokens.access_token })).json.id).toBe(user.id);
    expect(tokens.refresh_token).toEqual(expect.any(String));
    expect(tokens.claims()?.['sid']).toBe(decodeJwt(tokens.access_token)['sid']);
  });

  it('requests the scope read:pets if the parameter scope is missing', async () => {
    const user = await createPerson(store);
    const config = await discover(store, await addClient(store, { redirectUris: [], device: true }));
    const device = await oauth.initiateDeviceAuthorization(config, {});
    const browser = new Browser(store.url);
    const confirmation = await browser.submit(await browser.open(device.verification_uri), { user_code: device.user_code });
    const login = await browser.submit(confirmation, { confirm: 'yes' });
    const consent = await browser.submit(login, { username: user.username, password: PASSWORD, action: 'sign-in' });
    expect(consent.html).toContain('See the pets');
    await browser.submit(consent, { action: 'allow' });
    expect((await oauth.pollDeviceAuthorizationGrant(config, { ...device, interval: SOON })).scope).toBe('read:pets');
  });

  it('ends when the person denies access', async () => {
    const user = await createPerson(store);
    const config = await discover(store, await addClient(store, { redirectUris: [], device: true }));
    const device = await oauth.initiateDeviceAuthorization(config, { scope: 'openid' });
    const browser = new Browser(store.url);
    const confirmation = await browser.submit(await browser.open(device.verification_uri), { user_code: device.user_code });
    const consent = await browser.submit(await browser.submit(confirmation, { confirm: 'yes' }), {
      ...{ username: user.username, password: PASSWORD },
      action: 'sign-in',
    });
    expect((await browser.submit(consent, { action: 'deny' })).html).toContain('You did not give access');
    await expect(oauth.pollDeviceAuthorizationGrant(config, { ...device, interval: SOON })).rejects.toMatchObject({
      error: 'access_denied',
    });
  });
});

/** Proves contract 32.1. */
describe('the metadata', () => {
  it('is at both well-known addresses and names every address', async () => {
    const [openid, rfc8414] = await Promise.all(
      ['openid-configuration', 'oauth-authorization-server'].map((name) => readJson(`/.well-known/${name}`)),
    );
    expect(rfc8414).toEqual(openid);
    expect(openid).toMatchObject({
      issuer: store.url,
      authorization_endpoint: `${store.url}/oauth/authorize`,
      token_endpoint: `${store.url}/oauth/token`,
      device_authorization_endpoint: `${store.url}/oauth/device/authorize`,
      revocation_endpoint: `${store.url}/oauth/revocation`,
      introspection_endpoint: `${store.url}/oauth/introspection`,
      userinfo_endpoint: `${store.url}/oauth/userinfo`,
      jwks_uri: `${store.url}/oauth/jwks`,
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('has public keys only', async () => {
    const { keys } = (await readJson('/oauth/jwks')) as { keys: readonly object[] };
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(key).toEqual(expect.not.objectContaining({ d: expect.anything() }));
  });
});

const readJson = async (path: string): Promise<unknown> => (await fetch(store.url + path)).json();

const postForm = async (path: string, fields: Record<string, string>) => {
  const answer = await fetch(store.url + path, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: answer.status, json: (await answer.json()) as { readonly error?: string } };
};
