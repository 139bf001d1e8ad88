import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { User } from '../../apps/api/users/user.dto.js';
import { itOnAnyProfile as it, startStoreWith, startTestPetstore } from '../servers/test-petstore.js';
import { Browser } from './oauth-browser.js';
import { addClient, createPerson, giveAccess, REDIRECT_URI, signIn, type RegisteredClient } from './oauth-people.js';
import { expectProblem } from './problems.js';
import { REDIRECT_TRICKS } from './redirect-tricks.js';

let store: Awaited<ReturnType<typeof startStoreWith>>;
let user: User;
let client: RegisteredClient;
beforeAll(async () => {
  store = await startStoreWith({ CLASSIC_IMPLICIT_FLOW: 'on', LOG_LEVEL: 'trace' });
  user = await createPerson(store);
  client = await addClient(store, { implicit: true });
});
afterAll(() => store.stop());

/** Builds a request of the implicit flow. Parameters that are null are left out. */
const requestUrl = (change: Readonly<Record<string, string | null>> = {}): URL => {
  const url = new URL(`${store.url}/oauth/implicit`);
  const parameters = {
    response_type: 'token',
    client_id: client.id,
    redirect_uri: REDIRECT_URI,
    scope: 'openid read:pets',
    state: 's t&ate',
  };
  for (const [name, value] of Object.entries({ ...parameters, ...change })) if (value !== null) url.searchParams.set(name, value);
  return url;
};

/** Opens a request. Returns the page, or the address of another origin to which the service redirects. */
const open = (url: URL) => new Browser(store.url).open(url.href);
const fragmentOf = (url: string | URL) => Object.fromEntries(new URLSearchParams(new URL(url).hash.slice(1)));
const whoAmI = (token = '') => store.request<User>('GET', '/v1/users/me', { token });

/** Proves contract 32.6. Proves rows of contract 42.15. */
describe('the classic implicit flow', () => {
  it('is off by default', async () => {
    const other = await startTestPetstore();
    try {
      const path = `/oauth/implicit?${new URLSearchParams({ response_type: 'token', client_id: client.id, redirect_uri: REDIRECT_URI }).toString()}`;
      expectProblem(await other.request('GET', path), 404, 'not-found');
      const registered = await addClient(other, { implicit: true });
      const url = new URL(`${other.url}/oauth/authorize`);
      const mode = { response_mode: 'classic-implicit', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
      url.search = new URLSearchParams({ response_type: 'code', client_id: registered.id, redirect_uri: REDIRECT_URI, ...mode }).toString();
      const answer = new URL((await new Browser(other.url).open(url.href)).url);
      expect([answer.searchParams.get('error'), answer.hash]).toEqual(['unsupported_response_mode', '']);
    } finally {
      await other.stop();
    }
  });

  it('ends with a token in the fragment, which the operations accept', async () => {
    const answer = await giveAccess(store, requestUrl(), user.username);
    expect([answer.href.startsWith(`${REDIRECT_URI}#`), answer.search]).toEqual([true, '']);
    const { access_token: token = '', ...rest } = fragmentOf(answer);
    expect(rest).toEqual({ token_type: 'Bearer', expires_in: '3600', scope: 'openid read:pets', state: 's t&ate', iss: store.url });
    expect((await whoAmI(token)).json).toEqual(user);
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({ sub: user.id, aud: 'petstore', client_id: client.id, sid: expect.any(String) });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600);
  });

  it('issues a token that ends with its session; both have the same lifetime', async () => {
    const { access_token: token = '' } = fragmentOf(await giveAccess(store, requestUrl(), user.username));
    type Sessions = { readonly data: readonly { readonly id: string; readonly createdAt: string; readonly expiresAt: string }[] };
    const operator = { token: await store.token('ops') };
    const sessions = await store.request<Sessions>('GET', `/v1/ops/users/${user.id}/sessions`, operator);
    const session = sessions.json.data.find(({ id }) => id === decodeJwt(token)['sid']);
    expect(Date.parse(session?.expiresAt ?? '') - Date.parse(session?.createdAt ?? '')).toBe(3_600_000);
    expect((await store.request('DELETE', `/v1/ops/sessions/${session?.id}`, operator)).status).toBe(204);
    expect((await whoAmI(token)).status).toBe(401);
  });

  it('grants the requested scopes that the account may have, and read:pets if none is requested', async () => {
    const answer = fragmentOf(await giveAccess(store, requestUrl({ scope: 'read:pets ops write:pets offline_access' }), user.username));
    expect(answer).toMatchObject({ scope: 'read:pets', state: 's t&ate' });
    const { access_token: token, scope } = fragmentOf(await giveAccess(store, requestUrl({ scope: null }), user.username));
    expect([scope, (await whoAmI(token)).status]).toEqual(['read:pets', 200]);
  });

  it('grants write:pets and read:pets to staff, who can then list a pet in the classic variant', async () => {
    const staff = await createPerson(store);
    await store.request('PUT', `/v1/ops/users/${staff.id}/staff`, { token: await store.token('ops') });
    const answer = await giveAccess(store, requestUrl({ scope: 'read:pets write:pets' }), staff.username);
    const { access_token: token = '', scope } = fragmentOf(answer);
    expect(scope).toBe('read:pets write:pets');
    expect((await store.request('POST', '/api/v3/pet', { token, body: { name: 'Luna', photoUrls: [] } })).status).toBe(200);
  });

  it('returns access_denied and the state if the person denies access', async () => {
    const browser = new Browser(store.url);
    const consent = await signIn(store, requestUrl(), user.username, browser);
    expect(consent.html).toContain('Give access to Pet Finder?');
    expect(consent.html).toContain('The access ends after an hour');
    const answer = new URL((await browser.submit(consent, { action: 'deny' })).url);
    expect([answer.search, fragmentOf(answer)]).toEqual([
      '',
      { error: 'access_denied', error_description: expect.any(String), state: 's t&ate', iss: store.url },
    ]);
  });

  it.each([
    ['another response type', { response_type: 'code' }, 'unsupported_response_type'],
    ['several response types', { response_type: 'code token' }, 'unsupported_response_type'],
    ['no response type', { response_type: null }, 'invalid_request'],
  ])('rejects %s', async (_, change, error) => {
    const { url } = await open(requestUrl(change));
    expect([new URL(url).search, fragmentOf(url)]).toEqual(['', expect.objectContaining({ error, state: 's t&ate' })]);
  });

  it('rejects a client that is not registered for this flow, at both addresses', async () => {
    const { id } = await addClient(store);
    const { url } = await open(requestUrl({ client_id: id }));
    expect(fragmentOf(url)).toMatchObject({ error: 'unauthorized_client', state: 's t&ate' });
    const code = requestUrl({ client_id: id, response_type: 'code', response_mode: 'classic-implicit' });
    code.pathname = '/oauth/authorize';
    expect(fragmentOf((await open(code)).url)).toMatchObject({ error: 'unauthorized_client' });
  });

  it.each(REDIRECT_TRICKS)('rejects the redirect URI %j without a redirect', async (uri) => {
    for (const change of [{ redirect_uri: uri }, { redirect_uri: uri, response_type: 'code' }]) {
      const page = await open(requestUrl(change));
      expect([page.status, page.headers.get('location'), new URL(page.url).origin]).toEqual([400, null, store.url]);
    }
  });

  it('does not redirect for a missing or repeated redirect URI, or an unknown client', async () => {
    const twice = requestUrl();
    twice.searchParams.append('redirect_uri', 'https://evil.example/');
    for (const url of [
      twice,
      requestUrl({ redirect_uri: null }),
      requestUrl({ client_id: randomUUID() }),
      requestUrl({ client_id: null }),
    ]) {
      const page = await open(url);
      expect([page.status, page.headers.get('location'), new URL(page.url).origin]).toEqual([400, null, store.url]);
    }
  });

  it('ignores parameters of other flows, and shows the sign-in form', async () => {
    const page = await open(requestUrl({ prompt: 'none', response_mode: 'query', max_age: '0', request: 'x' }));
    expect(page.html).toContain('name="password"');
  });

  it('warns at the start, and logs no token', async () => {
    const { access_token: token = '' } = fragmentOf(await giveAccess(store, requestUrl(), user.username));
    const log = store.log();
    expect(log).toMatch(/CLASSIC_IMPLICIT_FLOW is on: .*RFC 9700/);
    const [, , signature = ''] = token.split('.');
    expect([signature.length > 40, log.includes(signature), log.includes('access_token')]).toEqual([true, false, false]);
  });
});
