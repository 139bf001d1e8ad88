import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'openid-client';
import type { User } from '../../apps/api/users/user.dto.js';
import { eventually } from '../eventually.js';
import { startServiceWithTwoApis, type TestPetstore } from '../servers/test-petstore.js';
import { Browser, type Page } from './oauth-browser.js';
import { addClient, authorize, createPerson, discover, type RegisteredClient } from './oauth-people.js';

const SIGNED_OUT = 'http://127.0.0.1:4000/signed-out';

let store: TestPetstore;
let second: TestPetstore;
let user: User;
let client: RegisteredClient;
let config: oauth.Configuration;
beforeAll(async () => {
  [store, second] = await startServiceWithTwoApis();
  user = await createPerson(store);
  client = await addClient(store, { postLogoutRedirectUris: [SIGNED_OUT] });
  config = await discover(store, client);
});
afterAll(async () => {
  await second.stop();
  if (second !== store) await store.stop();
});

const signIn = () => authorize(store, config, user.username);
const open = (parameters: Readonly<Record<string, string>>): Promise<Page> =>
  new Browser(store.url).open(oauth.buildEndSessionUrl(config, parameters).href);
const confirm = (page: Page): Promise<Page> => new Browser(store.url).submit(page, {});
const statusOf = async (token: string, on = store): Promise<number> => (await on.request('GET', '/v1/users/me', { token })).status;
const titleOf = ({ html }: Page): string | undefined => /<h1>(.*?)<\/h1>/.exec(html)?.[1];

/** Proves contract 32.8. */
describe('signing out of a client', () => {
  it('ends the sign-in of the ID token after the person has confirmed it, in every process, and returns to the client', async () => {
    const [tokens, others] = [await signIn(), await signIn()];
    const state = 's t&ate';
    const page = await open({ id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: SIGNED_OUT, state });
    expect([page.status, titleOf(page), await statusOf(tokens.access_token)]).toEqual([200, 'Sign out of Pet Finder?', 200]);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:4000");
    const after = new URL((await confirm(page)).url);
    expect([after.origin + after.pathname, Object.fromEntries(after.searchParams)]).toEqual([SIGNED_OUT, { state }]);
    expect(await statusOf(tokens.access_token)).toBe(401);
    await eventually('the end in the other process', async () => (await statusOf(tokens.access_token, second)) === 401);
    await expect(oauth.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await statusOf(others.access_token)).toBe(200);
    // The answer does not say whether the session still exists.
    expect((await confirm(page)).url).toBe(after.href);
  });

  it('also takes a form, and says so when there is no address to return to', async () => {
    const tokens = await signIn();
    const body = new URLSearchParams({ id_token_hint: tokens.id_token ?? '', client_id: client.id });
    const page = await new Browser(store.url).open(`${store.url}/oauth/logout`, { method: 'POST', body });
    expect(titleOf(page)).toBe('Sign out of Pet Finder?');
    expect([titleOf(await confirm(page)), await statusOf(tokens.access_token)]).toEqual(['Signed out', 401]);
  });

  it('works with the ID token of a refresh, which names the same sign-in', async () => {
    const tokens = await signIn();
    const refreshed = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '');
    await confirm(await open({ id_token_hint: refreshed.id_token ?? '' }));
    expect([await statusOf(tokens.access_token), await statusOf(refreshed.access_token)]).toEqual([401, 401]);
  });

  it('ends nothing and returns nowhere without a valid hint or with an address of somebody else', async () => {
    const tokens = await signIn();
    const hint = tokens.id_token ?? '';
    const other = await addClient(store, { postLogoutRedirectUris: ['https://other.example/signed-out'] });
    const [head = '', body = '', signature = ''] = hint.split('.');
    const requests: readonly Readonly<Record<string, string>>[] = [
      { post_logout_redirect_uri: SIGNED_OUT },
      { post_logout_redirect_uri: SIGNED_OUT, client_id: client.id },
      { post_logout_redirect_uri: SIGNED_OUT, id_token_hint: tokens.access_token },
      { post_logout_redirect_uri: SIGNED_OUT, id_token_hint: `${head}.${body}.${signature.slice(0, -6)}AAAAAA` },
      { post_logout_redirect_uri: SIGNED_OUT, id_token_hint: `${head}.${body}.` },
      { post_logout_redirect_uri: SIGNED_OUT, id_token_hint: 'x'.repeat(500) },
      { post_logout_redirect_uri: SIGNED_OUT, id_token_hint: hint, client_id: other.id },
      { post_logout_redirect_uri: 'https://other.example/signed-out', id_token_hint: hint },
      { post_logout_redirect_uri: 'https://evil.example/', id_token_hint: hint },
      { post_logout_redirect_uri: `${SIGNED_OUT}/`, id_token_hint: hint },
      { post_logout_redirect_uri: 'javascript:alert(1)', id_token_hint: hint },
    ];
    for (const request of requests) {
      const page = await new Browser(store.url).open(`${store.url}/oauth/logout?${new URLSearchParams(request).toString()}`);
      expect([request, page.status, titleOf(page), page.html.includes('<form')]).toEqual([request, 400, 'Nobody was signed out', false]);
    }
    expect(await statusOf(tokens.access_token)).toBe(200);
  });

  it('ends nothing by a form that is not from the page, or whose hint or address was replaced', async () => {
    const [tokens, others] = [await signIn(), await signIn()];
    const page = await open({ id_token_hint: tokens.id_token ?? '' });
    const browser = new Browser(store.url);
    for (const changed of [
      { form: '' },
      { form: randomUUID() },
      { id_token_hint: others.id_token ?? '' },
      { post_logout_redirect_uri: SIGNED_OUT },
      { state: 'other' },
    ]) {
      const answer = await browser.submit(page, changed);
      expect([changed, answer.status]).toEqual([changed, 400]);
    }
    expect([await statusOf(tokens.access_token), await statusOf(others.access_token)]).toEqual([200, 200]);
  });

  it('does not take a parameter twice, and refuses parameters that are too long for an address', async () => {
    const twice = await new Browser(store.url).open(`${store.url}/oauth/logout?id_token_hint=a&id_token_hint=b`);
    expect([twice.status, titleOf(twice)]).toEqual([400, 'Nobody was signed out']);
    const body = new URLSearchParams({ state: 'x'.repeat(9_000) });
    expect((await fetch(`${store.url}/oauth/logout`, { method: 'POST', body, redirect: 'manual' })).status).toBe(413);
  });

  it('is in the metadata, with the session that ID tokens name', () => {
    const metadata = config.serverMetadata();
    expect([metadata.end_session_endpoint, metadata.claims_supported]).toEqual([
      `${store.url}/oauth/logout`,
      expect.arrayContaining(['sid']),
    ]);
  });
});

/** Proves contract 32.4. */
describe('the addresses after a sign-out', () => {
  const add = async (body: object) =>
    store.request<{ readonly errors?: readonly { readonly field: string }[]; readonly postLogoutRedirectUris?: readonly string[] }>(
      'POST',
      '/v1/ops/clients',
      { token: await store.token('ops'), body: { name: 'App', redirectUris: ['https://app.example.com/cb'], ...body } },
    );

  it('are stored and shown, and are none by default', async () => {
    const uris = ['https://app.example.com/out', 'com.example.app:/out'];
    expect((await add({ postLogoutRedirectUris: uris })).json.postLogoutRedirectUris).toEqual(uris);
    expect((await add({})).json.postLogoutRedirectUris).toEqual([]);
  });

  it.each(['http://app.example.com/out', 'https://app.example.com/#out', 'https://256.256.256.256/', 'javascript:alert(1)'])(
    'cannot be %s',
    async (uri) => {
      const { status, json } = await add({ postLogoutRedirectUris: [uri] });
      expect([status, json.errors?.map(({ field }) => field)]).toEqual([422, ['postLogoutRedirectUris[0]']]);
    },
  );
});
