import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as oauth from 'openid-client';
import type { ClientRequest } from '../../apps/api/clients/client.dto.js';
import { yieldToEventLoop } from '../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { eventually } from '../eventually.js';
import { startServiceWithTwoApis, type TestPetstore } from '../servers/test-petstore.js';
import { addClient, authorizationRequest, discover, REDIRECT_URI, type RegisteredClient } from './oauth-people.js';
import { Browser } from './oauth-browser.js';
import { expectProblem } from './problems.js';
import { PLAIN_PET } from './shop.js';

const ALL = 'ops write:pets write:orders write:webhooks audit:read read:pets chat:write';

let store: TestPetstore;
let second: TestPetstore;
let operator: string;
beforeAll(async () => {
  [store, second] = await startServiceWithTwoApis();
  operator = await store.token(ALL);
});
afterAll(async () => {
  await second.stop();
  if (second !== store) await store.stop();
});

const register = async (fields: Partial<ClientRequest>, options: object = {}) =>
  store.request<RegisteredClient>('POST', '/v1/ops/clients', { token: operator, body: { name: 'Stock sync', ...fields }, ...options });
const addProgram = async (scopes: readonly string[], options: object = {}): Promise<RegisteredClient> => {
  const { status, json, text } = await register({ program: true, scopes }, options);
  if (status !== 201) throw new Error(text);
  return json;
};
/** Gets a token of a program, with a stock client. */
const tokenOf = async (program: RegisteredClient, parameters: Readonly<Record<string, string>> = {}) =>
  oauth.clientCredentialsGrant(await discover(store, program), parameters);
const readPets = async (token: string, on = store): Promise<number> => (await on.request('GET', '/v1/inventories', { token })).status;

/** Proves contract 32.9. */
describe('a program', () => {
  it('gets a token with its scopes for an hour, as itself, without a refresh token', async () => {
    const program = await addProgram(['write:pets', 'read:pets']);
    expect(program).toMatchObject({ program: true, confidential: true, redirectUris: [], scopes: ['write:pets', 'read:pets'] });
    const tokens = await tokenOf(program);
    expect([tokens.token_type, tokens.expires_in, tokens.scope, tokens.refresh_token, tokens.id_token]).toEqual([
      'bearer',
      3600,
      'write:pets read:pets',
      undefined,
      undefined,
    ]);
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      sub: `client:${program.id}`,
      client_id: program.id,
      aud: 'petstore',
      // A cluster without PUBLIC_URL is `petstore` (contract 5.2).
      iss: expect.stringMatching(new RegExp(`^(?:${store.url}|petstore)$`)),
      scope: 'write:pets read:pets',
      sid: expect.any(String),
      rev: 0,
    });
    const created = await store.request<{ id: string }>('POST', '/v1/pets', { token: tokens.access_token, body: PLAIN_PET });
    expect(created.status).toBe(201);
    expectProblem(await store.request('GET', '/v1/ops/keys', { token: tokens.access_token }), 403, 'forbidden');
  });

  it('is named in histories and in the log, also after its removal', async () => {
    const program = await addProgram(['write:pets', 'ops']);
    const { access_token: token } = await tokenOf(program);
    const pet = (await store.request<{ id: string }>('POST', '/v1/pets', { token, body: PLAIN_PET })).json.id;
    const denied = await store.request('GET', '/v1/audit/events', { token });
    type Shown = { readonly actor: string; readonly actorName?: string; readonly data: { readonly actor?: string } };
    const shownOf = async (path: string) =>
      (await store.request<{ data: readonly Shown[] }>('GET', `/v1/audit/${path}`, { token: operator })).json.data.map(
        ({ actor, actorName, data }) => [data.actor ?? actor, actorName],
      );
    const named = [[`client:${program.id}`, 'Stock sync']];
    for (const end of ['present', 'removed']) {
      expect([end, await shownOf(`streams/pet-${pet}`)]).toEqual([end, named]);
      expect([end, await shownOf(`events?actor=client:${program.id}`)]).toEqual([end, named]);
      expect([end, await shownOf(`requests/${String(denied.headers['x-request-id'])}`)]).toEqual([end, named]);
      await store.request('DELETE', `/v1/ops/clients/${program.id}`, { token: operator });
    }
  });

  it('gets fewer scopes if it asks for fewer, and none beyond those for which it is registered', async () => {
    const program = await addProgram(['write:pets', 'read:pets']);
    expect((await tokenOf(program, { scope: 'read:pets' })).scope).toBe('read:pets');
    for (const scope of ['ops', 'write:pets ops', 'openid', 'offline_access', 'read:pets openid'])
      await expect(tokenOf(program, { scope })).rejects.toMatchObject({ error: 'invalid_scope' });
  });

  it('owns orders, which other programs do not see', async () => {
    const [one, other] = [await addProgram(['read:pets']), await addProgram(['read:pets'])];
    const [token, foreign] = [(await tokenOf(one)).access_token, (await tokenOf(other)).access_token];
    const pet = await store.request<{ id: string }>('POST', '/v1/pets', {
      token: operator,
      body: { ...PLAIN_PET, price: '10.00', currency: 'USD' },
    });
    const order = await store.request<{ id: string }>('POST', '/v1/orders', { token, body: { petId: pet.json.id, quantity: 1 } });
    expect(order.status).toBe(201);
    const listed = async (as: string) =>
      (await store.request<{ data: readonly { id: string }[] }>('GET', '/v1/orders', { token: as })).json.data.map(({ id }) => id);
    expect([await listed(token), await listed(foreign)]).toEqual([[order.json.id], []]);
  });

  it('is bound to its tenant', async () => {
    const tenant = randomUUID();
    const { access_token: token } = await tokenOf(await addProgram(['write:pets'], { tenant }));
    expect(decodeJwt(token)['tenant']).toBe(tenant);
    expect((await store.request('POST', '/v1/pets', { token, body: PLAIN_PET })).status).toBe(201);
    expectProblem(await store.request('GET', '/v1/pets', { token, tenant: randomUUID() }), 403, 'forbidden');
  });

  it('is 401 within a second in every process when it is removed, and gets no more tokens', async () => {
    const program = await addProgram(['read:pets']);
    const config = await discover(store, program);
    const { access_token: token } = await oauth.clientCredentialsGrant(config);
    expect([await readPets(token), await readPets(token, second)]).toEqual([200, 200]);
    expect((await store.request('DELETE', `/v1/ops/clients/${program.id}`, { token: operator })).status).toBe(204);
    expect(await readPets(token)).toBe(401);
    await eventually('the end in the other process', async () => (await readPets(token, second)) === 401, 1_000);
    await expect(oauth.clientCredentialsGrant(config)).rejects.toMatchObject({ status: 401 });
  });

  it('can revoke its tokens, and get new ones', async () => {
    const config = await discover(store, await addProgram(['read:pets']));
    const { access_token: token } = await oauth.clientCredentialsGrant(config);
    await oauth.tokenRevocation(config, token);
    const { access_token: next } = await oauth.clientCredentialsGrant(config);
    expect([await readPets(token), await readPets(next)]).toEqual([401, 200]);
  });

  it('has no other grant, and other clients do not have this one', async () => {
    const program = await addProgram(['read:pets']);
    const { url } = await authorizationRequest(await discover(store, program), { redirect_uri: REDIRECT_URI });
    expect((await new Browser(store.url).open(url.href)).status).toBe(400);
    await expect(oauth.initiateDeviceAuthorization(await discover(store, program), {})).rejects.toBeDefined();
    await expect(oauth.refreshTokenGrant(await discover(store, program), 'x')).rejects.toMatchObject({ status: 400 });
    for (const confidential of [true, false]) {
      const other = await discover(store, await addClient(store, { confidential }));
      await expect(oauth.clientCredentialsGrant(other)).rejects.toMatchObject({ status: 400 });
    }
    await expect(tokenOf({ ...program, secret: 'wrong' })).rejects.toMatchObject({ status: 401 });
  });

  it('with the scope ops may introspect the tokens of operators; another one may not', async () => {
    const [ops, other] = [await addProgram(['ops']), await addProgram(['read:pets'])];
    const isActive = async (program: RegisteredClient) => (await oauth.tokenIntrospection(await discover(store, program), operator)).active;
    expect([await isActive(ops), await isActive(other)]).toEqual([true, false]);
  });
});

/** Proves contract 32.9. */
describe('the registration of a program', () => {
  it.each([
    ['without a scope', { program: true }, ['scopes']],
    ['with redirect URIs', { program: true, scopes: ['read:pets'], redirectUris: [REDIRECT_URI] }, ['redirectUris']],
    ['with device codes', { program: true, scopes: ['read:pets'], device: true }, ['device']],
    ['without a secret', { program: true, scopes: ['read:pets'], confidential: false }, ['confidential']],
    ['with a scope of people', { program: true, scopes: ['openid'] }, ['scopes[0]']],
    ['with an unknown scope', { program: true, scopes: ['read:pets', 'all'] }, ['scopes[1]']],
    ['with scopes of no program', { redirectUris: [REDIRECT_URI], scopes: ['read:pets'] }, ['scopes']],
  ])('is 422 %s', async (_, fields, expected) => {
    const { status, json } = await store.request<{ errors: readonly { field: string }[] }>('POST', '/v1/ops/clients', {
      token: operator,
      body: { name: 'Program', ...fields },
    });
    expect([status, json.errors.map(({ field }) => field)]).toEqual([422, expected]);
  });

  it('gives only scopes that the operator has, and ops only by an operator of all tenants', async () => {
    const few = await store.token('ops read:pets');
    const tenant = randomUUID();
    const bound = await store.token('ops read:pets', { tenant });
    const add = (token: string, scopes: readonly string[]) =>
      store.request('POST', '/v1/ops/clients', { token, body: { name: 'Program', program: true, scopes } });
    expectProblem(await add(few, ['read:pets', 'write:pets']), 403, 'forbidden');
    expectProblem(await add(bound, ['ops']), 403, 'forbidden');
    expect([(await add(few, ['read:pets', 'ops'])).status, (await add(bound, ['read:pets'])).status]).toEqual([201, 201]);
  });

  it('is replayed with the same secret', async () => {
    const idempotencyKey = randomUUID();
    const one = await register({ program: true, scopes: ['read:pets'] }, { idempotencyKey });
    const again = await register({ program: true, scopes: ['read:pets'] }, { idempotencyKey });
    expect([again.headers['idempotent-replayed'], again.json]).toEqual(['true', one.json]);
    expectProblem(await register({ program: true, scopes: ['write:pets'] }, { idempotencyKey }), 422, 'idempotency-key-reused', {
      'Idempotency-Key': ['mismatch'],
    });
  });
});

/** Proves contract 32.4 and contract 32.9. */
describe('a change of a client', () => {
  const changeClient = (id: string, body: object, token = operator) =>
    store.request<RegisteredClient>('PUT', `/v1/ops/clients/${id}`, { token, body });

  it('with narrower scopes ends the older tokens of a program, and with wider ones does not', async () => {
    const program = await addProgram(['read:pets', 'write:pets']);
    const { access_token: token } = await tokenOf(program);
    expect((await changeClient(program.id, { scopes: ['read:pets', 'write:pets', 'chat:write'] })).json.scopes).toHaveLength(3);
    expect(await readPets(token)).toBe(200);
    expect((await changeClient(program.id, { scopes: ['read:pets'] })).status).toBe(200);
    expect(await readPets(token)).toBe(401);
    const next = await tokenOf(program);
    expect([next.scope, await readPets(next.access_token)]).toEqual(['read:pets', 200]);
    await expect(tokenOf(program, { scope: 'write:pets' })).rejects.toMatchObject({ error: 'invalid_scope' });
  });

  it.each(['narrower scopes', 'a removal'])('leaves no token of a program valid that is issued during %s', async (change) => {
    for (let round = 0; round < 10; round++) {
      const program = await addProgram(['read:pets', 'write:pets']);
      const config = await discover(store, program);
      const granting = Array.from({ length: 6 }, () => oauth.clientCredentialsGrant(config).catch(() => null));
      for (let turn = 0; turn < 10 * round; turn++) await yieldToEventLoop();
      if (change === 'a removal') await store.request('DELETE', `/v1/ops/clients/${program.id}`, { token: operator });
      else await changeClient(program.id, { scopes: ['read:pets'] });
      for (const tokens of await Promise.all(granting))
        if (tokens && tokens.scope !== 'read:pets') expect([round, await readPets(tokens.access_token)]).toEqual([round, 401]);
    }
  });

  it('replaces the addresses of a client that signs people in, and leaves what it does not name', async () => {
    const client = await addClient(store, { postLogoutRedirectUris: ['https://app.example.com/out'] });
    const { status, json } = await changeClient(client.id, { redirectUris: ['https://app.example.com/in'] });
    expect([status, json]).toEqual([200, { ...client, redirectUris: ['https://app.example.com/in'] }]);
    const { url } = await authorizationRequest(await discover(store, client));
    expect((await new Browser(store.url).open(url.href)).status).toBe(400);
  });

  it('is rejected if the client could not be registered so, or by an operator who lacks the scopes or is elsewhere', async () => {
    const [program, client] = [await addProgram(['write:pets']), await addClient(store)];
    for (const [id, body] of [
      [program.id, { redirectUris: [REDIRECT_URI] }],
      [program.id, { scopes: [] }],
      [client.id, { scopes: ['read:pets'] }],
      [client.id, { redirectUris: [] }],
      [client.id, { redirectUris: ['https://256.256.256.256/'] }],
      [client.id, { name: 'Other' }],
    ] as const)
      expect([body, (await changeClient(id, body)).status]).toEqual([body, 422]);
    expectProblem(await changeClient(program.id, { scopes: ['write:pets'] }, await store.token('ops')), 403, 'forbidden');
    expectProblem(await changeClient(randomUUID(), { redirectUris: [REDIRECT_URI] }), 404, 'not-found');
    const elsewhere = await store.request('PUT', `/v1/ops/clients/${client.id}`, { token: operator, tenant: randomUUID(), body: {} });
    expectProblem(elsewhere, 404, 'not-found');
  });
});

/** Proves contract 32.4. */
describe('a rotation of a secret', () => {
  type Rotated = RegisteredClient & { readonly formerSecretValidUntil?: string };
  const rotate = (id: string, options: object = {}, token = operator) =>
    store.request<Rotated>('POST', `/v1/ops/clients/${id}/secret`, { token, ...options });

  it('keeps the former secret valid for a day, and ends the one before', async () => {
    const program = await addProgram(['read:pets']);
    const first = await rotate(program.id);
    expect([first.status, first.json.secret?.length, first.json.secret === program.secret]).toEqual([200, 43, false]);
    const left = Date.parse(first.json.formerSecretValidUntil ?? '') - Date.now();
    expect([left > 86_000_000, left <= 86_400_000]).toEqual([true, true]);
    for (const secret of [program.secret, first.json.secret])
      expect((await tokenOf({ ...program, secret: secret ?? '' })).access_token).toEqual(expect.any(String));
    const second = await rotate(program.id);
    for (const secret of [first.json.secret, second.json.secret])
      expect((await tokenOf({ ...program, secret: secret ?? '' })).access_token).toEqual(expect.any(String));
    await expect(tokenOf(program)).rejects.toMatchObject({ status: 401 });
  });

  it('is made once for one Idempotency-Key, whose replay shows the secret only while it is valid', async () => {
    const program = await addProgram(['read:pets']);
    const idempotencyKey = randomUUID();
    const first = await rotate(program.id, { idempotencyKey });
    const again = await rotate(program.id, { idempotencyKey });
    expect([again.headers['idempotent-replayed'], again.json]).toEqual(['true', first.json]);
    await rotate(program.id);
    expect((await rotate(program.id, { idempotencyKey })).json.secret).toBe(first.json.secret);
    await rotate(program.id);
    const last = await rotate(program.id, { idempotencyKey });
    expect([last.status, last.json.secret, last.headers['idempotent-replayed']]).toEqual([200, undefined, 'true']);
  });

  it('gives each of several requests at the same time a secret of its own, of which the last two are valid', async () => {
    const program = await addProgram(['read:pets']);
    const rotated = await Promise.all(Array.from({ length: 4 }, () => rotate(program.id)));
    const secrets = rotated.flatMap(({ json }) => json.secret ?? []);
    expect(new Set(secrets).size).toBe(secrets.length);
    const valid = await Promise.all(
      secrets.map((secret) =>
        tokenOf({ ...program, secret }).then(
          () => true,
          () => false,
        ),
      ),
    );
    expect(valid.filter(Boolean).length).toBe(2);
  });

  it('is for clients with a secret, and for operators who have the scopes of the program', async () => {
    expectProblem(await rotate((await addClient(store)).id), 409, 'conflict');
    expectProblem(await rotate(randomUUID()), 404, 'not-found');
    const program = await addProgram(['write:pets']);
    expectProblem(await rotate(program.id, {}, await store.token('ops')), 403, 'forbidden');
    const confidential = await addClient(store, { confidential: true });
    expect((await rotate(confidential.id, {}, await store.token('ops'))).status).toBe(200);
  });
});

/** Proves contract 5.2. */
describe('the subject of a program', () => {
  it.each(['client:01', 'cli:tool'])('%s is in no other token', async (subject) => {
    const token = await store.token('read:pets', { subject }).catch(() => null);
    if (token !== null) expect(await readPets(token)).toBe(401);
  });
});
