import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClientCollection } from '../../apps/api/clients/client.dto.js';
import { CONSOLE_RETURN_PATH, DOCS_CLIENT_ID, DOCS_RETURN_PATH } from '../../apps/api/oauth/provider/page-clients.js';
import { CONSOLE_CLIENT_ID } from '../../libs/ports/access-token.port.js';
import type { SessionCollection } from '../../apps/api/sign-in/session.dto.js';
import { yieldToEventLoop } from '../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { Browser } from './oauth-browser.js';
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
import { expectProblem } from './problems.js';

let store: TestPetstore;
let token: string;
beforeAll(async () => {
  store = await startTestPetstore();
  token = await store.token('ops');
});
afterAll(() => store.stop());

type Problem = { readonly errors: readonly { readonly field: string; readonly code: string }[] };

const add = (body: object, options: object = {}) => store.request<RegisteredClient>('POST', '/v1/ops/clients', { token, body, ...options });
const list = async (tenant: string) => (await store.request<ClientCollection>('GET', '/v1/ops/clients', { token, tenant })).json.data;

/** Proves contract 32.4. */
describe('the clients of the authorization server', () => {
  it('are listed without their secrets, newest first, in their tenant only', async () => {
    const [tenant, other] = [randomUUID(), randomUUID()];
    const first = await addClient(store, { name: 'First', confidential: true }, { tenant });
    const second = await addClient(store, { name: 'Second' }, { tenant });
    expect([first.secret?.length, second.secret, first.tenantId]).toEqual([43, undefined, tenant]);
    const { secret: _, ...shown } = first;
    expect(await list(tenant)).toEqual([second, shown]);
    expect(await list(other)).toEqual([]);
  });

  it('are removed by an operator of their tenant only', async () => {
    const [tenant, other] = [randomUUID(), randomUUID()];
    const { id } = await addClient(store, {}, { tenant });
    const remove = (from: string) => store.request('DELETE', `/v1/ops/clients/${id}`, { token, tenant: from });
    expectProblem(await remove(other), 404, 'not-found');
    expect((await remove(tenant)).status).toBe(204);
    expectProblem(await remove(tenant), 404, 'not-found');
    expect(await list(tenant)).toEqual([]);
  });

  it('are registered once for one Idempotency-Key, with the same secret', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { name: 'Once', redirectUris: [REDIRECT_URI], confidential: true };
    const [first, again] = [await add(body, { headers }), await add(body, { headers })];
    expect([again.status, again.headers['idempotent-replayed'], again.json]).toEqual([201, 'true', first.json]);
    expectProblem(await add({ ...body, name: 'Other' }, { headers }), 422, 'idempotency-key-reused', { 'Idempotency-Key': ['mismatch'] });
  });

  it('can be managed only by operators', async () => {
    const user = await store.token('write:pets');
    for (const [method, path] of [
      ['GET', '/v1/ops/clients'],
      ['POST', '/v1/ops/clients'],
      ['DELETE', `/v1/ops/clients/${randomUUID()}`],
    ] as const)
      expectProblem(await store.request(method, path, { token: user }), 403, 'forbidden');
  });

  it.each([
    'https://app.example.com',
    'https://app.example.com:8443/signed-in?from=store',
    'http://127.0.0.1/signed-in',
    'http://[::1]:8080/signed-in',
    'com.example.app:/signed-in',
  ])('may have the redirect URI %s', async (uri) => expect((await add({ name: 'App', redirectUris: [uri] })).status).toBe(201));

  it.each([
    'http://app.example.com/signed-in',
    'https://app.example.com/#signed-in',
    'https://ann@app.example.com/',
    'https://*.example.com/',
    'https://app.example.com/*',
    'https://app.example.com\\@evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1:80@evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'app:/signed-in',
    '//app.example.com/',
    'https://x:99999/cb',
    'https://256.256.256.256/cb',
    'com.a.b://[x/cb',
    'http://127.0.0.1:70000/',
    '',
  ])('may not have the redirect URI %j', async (uri) => {
    const { status, json } = await store.request<Problem>('POST', '/v1/ops/clients', { token, body: { name: 'App', redirectUris: [uri] } });
    expect([status, json.errors[0]?.field]).toEqual([422, 'redirectUris[0]']);
  });

  it('need a redirect URI, unless they use device codes', async () => {
    const { status, json } = await store.request<Problem>('POST', '/v1/ops/clients', { token, body: { name: 'App' } });
    expect([status, json.errors]).toEqual([422, [expect.objectContaining({ field: 'redirectUris', code: 'required' })]]);
    expect((await add({ name: 'Lamp', device: true })).status).toBe(201);
  });
});

/** Proves contract 32.3. */
describe('"Give access" that is sent twice', () => {
  it('gives one access', async () => {
    const user = await createPerson(store);
    const { url } = await authorizationRequest(await discover(store, await addClient(store)));
    const browser = new Browser(store.url);
    const consent = await signIn(store, url, user.username, browser);
    const answers = await Promise.all([browser.submit(consent, { action: 'allow' }), browser.submit(consent, { action: 'allow' })]);
    expect(answers.some((answer) => new URL(answer.url).searchParams.has('code'))).toBe(true);
    const { data } = (await store.request<SessionCollection>('GET', `/v1/ops/users/${user.id}/sessions`, { token })).json;
    expect(data.length).toBe(1);
  });
});

/** Proves contract 32.4 and contract 30.10. */
describe('the tokens of a client that is removed', () => {
  const me = async (bearer: string, path = '/v1/users/me') =>
    (await fetch(store.url + path, { headers: { authorization: `Bearer ${bearer}` } })).status;
  const remove = (id: string) => store.request('DELETE', `/v1/ops/clients/${id}`, { token });

  it('end at once, and those of other clients do not', async () => {
    const { username } = await createPerson(store);
    const [removed, kept] = [await addClient(store), await addClient(store)];
    const [ended, valid] = [
      await authorize(store, await discover(store, removed), username),
      await authorize(store, await discover(store, kept), username),
    ];
    expect((await remove(removed.id)).status).toBe(204);
    const statuses = [ended, valid].map(async ({ access_token: bearer }) => [await me(bearer), await me(bearer, '/oauth/userinfo')]);
    expect(await Promise.all(statuses)).toEqual([
      [401, 401],
      [200, 200],
    ]);
  });

  it('end also if a person gives access while the client is removed', async () => {
    const { username } = await createPerson(store);
    for (let round = 0; round < 10; round++) {
      const client = await addClient(store);
      const config = await discover(store, client);
      const signingIn = Array.from({ length: 4 }, () => authorize(store, config, username).catch(() => null));
      const removal = (async () => {
        for (let turn = 0; turn < 40 * round; turn++) await yieldToEventLoop();
        return remove(client.id);
      })();
      const tokens = await Promise.all(signingIn);
      await removal;
      for (const given of tokens) if (given) expect(await me(given.access_token)).toBe(401);
    }
  });
});

/** Proves contract 32.7 and contract 43.11. */
describe.each([
  { id: DOCS_CLIENT_ID, path: DOCS_RETURN_PATH, named: 'the page /docs' },
  { id: CONSOLE_CLIENT_ID, path: CONSOLE_RETURN_PATH, named: 'the console' },
])("the client $id of the service's own page", ({ id, path, named }) => {
  const page = async () => discover(store, { id } as RegisteredClient);

  it('signs a person in without a registration, for an hour', async () => {
    const user = await createPerson(store);
    const tokens = await authorize(store, await page(), user.username, { redirect_uri: store.url + path, scope: 'openid read:pets' });
    expect([tokens.refresh_token, tokens.scope]).toEqual([undefined, 'openid read:pets']);
    const own = { token: tokens.access_token };
    expect((await store.request('GET', '/v1/users/me', own)).status).toBe(200);
    const operator = await store.token('ops');
    const { data } = (await store.request<SessionCollection>('GET', `/v1/ops/users/${user.id}/sessions`, { token: operator })).json;
    expect(data.map(({ clientId, createdAt, expiresAt }) => [clientId, Date.parse(expiresAt) - Date.parse(createdAt)])).toEqual([
      [id, 3_600_000],
    ]);
  });

  it('has a name on the pages to sign in and to give access', async () => {
    const user = await createPerson(store);
    const { url } = await authorizationRequest(await page(), { redirect_uri: store.url + path });
    const browser = new Browser(store.url);
    expect((await browser.open(url.href)).html).toContain(`to continue to <strong>${named}</strong>`);
    expect((await signIn(store, url, user.username, browser)).html).toContain(`Give access to ${named}?`);
  });

  it('returns to the page only, is not listed, and nobody can register its id', async () => {
    const { url } = await authorizationRequest(await page(), { redirect_uri: REDIRECT_URI });
    expect(await new Browser(store.url).open(url.href)).toMatchObject({ status: 400, url: url.href });
    const registered = await add({ name: 'Impostor', redirectUris: [REDIRECT_URI], id });
    expect([registered.status, registered.json.id]).not.toContain(id);
    const listed = (await store.request<ClientCollection>('GET', '/v1/ops/clients', { token })).json.data.map((client) => client.id);
    expect(listed).not.toContain(id);
  });
});
