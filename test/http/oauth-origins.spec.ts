import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpResponse } from '../servers/client.js';
import { startStoreWith, type TestPetstore } from '../servers/test-petstore.js';
import { addClient, authorize, createPerson, discover, type RegisteredClient } from './oauth-people.js';

const LISTED = 'https://shop.example.com';
const OWN = 'https://finder.example.com';
const OTHERS = 'https://other.example.com';
const FOREIGN = 'https://evil.example.com';

let store: TestPetstore;
let client: RegisteredClient;
let app: RegisteredClient;
beforeAll(async () => {
  store = await startStoreWith({ CORS_ORIGINS: LISTED });
  client = await addClient(store, { redirectUris: [`${OWN}/signed-in`, 'http://127.0.0.1:4000/signed-in'], device: true });
  app = await addClient(store, { redirectUris: ['com.example.app:/signed-in'], device: true });
  await addClient(store, { redirectUris: [`${OTHERS}/signed-in`] });
});
afterAll(() => store.stop());

const allowed = ({ headers }: HttpResponse) => headers['access-control-allow-origin'];
/** Not `store.request`: the errors of the authorization server are no problems. */
const post = (path: string, origin: string, form: Readonly<Record<string, string>>) =>
  fetch(store.url + path, { method: 'POST', headers: { origin }, body: new URLSearchParams(form) });
const preflight = (path: string, origin: string) =>
  store.request('OPTIONS', path, {
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,x-stainless-os' },
  });

const FOR_CLIENTS = ['/oauth/token', '/oauth/refresh', '/oauth/revocation', '/oauth/device/authorize', '/oauth/userinfo'];

/** Proves contract 32.1 and contract 2.10. */
describe('a page of another origin', () => {
  it.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/oauth/jwks'])(
    'reads %s, whatever its origin',
    async (path) => {
      const read = await store.request('GET', path, { headers: { origin: FOREIGN } });
      expect([read.status, allowed(read), allowed(await preflight(path, FOREIGN))]).toEqual([200, '*', '*']);
      expect(read.headers['access-control-allow-credentials']).toBeUndefined();
    },
  );

  it.each(FOR_CLIENTS)('calls %s after a preflight request if CORS_ORIGINS or a client names its origin', async (path) => {
    for (const origin of [LISTED, OWN, OTHERS]) {
      const { status, headers } = await preflight(path, origin);
      expect([status, headers['access-control-allow-origin'], headers['access-control-allow-headers']]).toEqual([
        204,
        origin,
        'authorization, x-stainless-os',
      ]);
      expect(headers.allow).toContain('POST');
    }
    for (const origin of [FOREIGN, 'null']) expect([origin, allowed(await preflight(path, origin))]).toEqual([origin, undefined]);
  });

  it.each([
    ['/oauth/token', { grant_type: 'authorization_code', code: 'none' }, 400],
    ['/oauth/refresh', { refresh_token: 'none' }, 400],
    ['/oauth/revocation', { token: 'none' }, 200],
    ['/oauth/device/authorize', { scope: 'openid' }, 200],
  ])('reads the answers of %s, errors too, for the client with its origin only', async (path, form, status) => {
    const ask = async (origin: string, { id }: RegisteredClient) => {
      const answer = await post(path, origin, { ...form, client_id: id });
      return [answer.status, answer.headers.get('access-control-allow-origin') ?? undefined];
    };
    expect(await ask(OWN, client)).toEqual([status, OWN]);
    expect(await ask(LISTED, client)).toEqual([status, LISTED]);
    for (const origin of [OTHERS, FOREIGN, 'null']) expect([origin, await ask(origin, client)]).toEqual([origin, [status, undefined]]);
    for (const origin of [OWN, 'null']) expect([origin, await ask(origin, app)]).toEqual([origin, [status, undefined]]);
  });

  it('reads userinfo, and why a token is rejected, for the client of the token only', async () => {
    const { username } = await createPerson(store);
    const { access_token: token } = await authorize(store, await discover(store, client), username);
    const read = (origin: string, bearer: string) => store.request('GET', '/oauth/userinfo', { token: bearer, headers: { origin } });
    expect([allowed(await read(OWN, token)), allowed(await read(OTHERS, token))]).toEqual([OWN, undefined]);
    expect(await read(OWN, `${token}x`).then((answer) => [answer.status, allowed(answer)])).toEqual([401, OWN]);
  });

  it('may send the headers of its client, and reads every documented header', async () => {
    const { headers } = await store.request('OPTIONS', '/v1/chat/completions', {
      headers: {
        origin: LISTED,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,x-stainless-lang,api_key,bad name',
      },
    });
    expect(headers['access-control-allow-headers']).toBe('authorization, x-stainless-lang, api_key');
    for (const name of ['ETag', 'WWW-Authenticate', 'Allow', 'Content-Range', 'Accept-Query', 'Retry-After'])
      expect(headers['access-control-expose-headers']?.split(', ')).toContain(name);
  });
});
