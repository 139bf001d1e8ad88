import { createHmac, createPublicKey, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import { stopByClock } from '../stop-by-clock.js';
import type { HttpResponse } from '../servers/client.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { createIssuerKey, startIssuer, type IssuerKey, type TestIssuer } from '../servers/issuer.js';
import { itOnOwnPetstore as it, startOwnPetstore, startStoreWith, type OwnPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { PLAIN_PET } from './shop.js';

const ALGORITHMS = ['EdDSA', 'ES256', 'ES384', 'RS256', 'PS256'];
const REJECTED_ALGORITHMS = ['RS384', 'RS512', 'PS384', 'PS512', 'ES512'];
const TENANT = '0190a000-0000-7000-8000-000000000001';
const PASSWORD = 'correct horse battery';

const keys = new Map<string, IssuerKey>();
let issuer: TestIssuer;
let service: OwnPetstore;

type Described = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security: readonly object[] }>>>>;
  readonly components: { readonly securitySchemes: object };
};

const settingsFor = ({ url }: TestIssuer) => ({ OIDC_ISSUER: url, OIDC_AUDIENCE: 'petstore' });

const keyOf = (name: string): IssuerKey => {
  const key = keys.get(name);
  if (!key) throw new Error(`no key ${name}`);
  return key;
};

beforeAll(async () => {
  for (const alg of [...ALGORITHMS, ...REJECTED_ALGORITHMS]) keys.set(alg, await createIssuerKey(alg, alg));
  keys.set('unknown', await createIssuerKey('unknown'));
  issuer = await startIssuer(...keys.values());
  issuer.publish(...[...keys.values()].filter(({ kid }) => kid !== 'unknown'));
  service = await startOwnPetstore(settingsFor(issuer));
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
  removeFolders();
});

const createPet = (token: string, tenant?: string): Promise<HttpResponse> =>
  service.request('POST', '/v1/pets', { token, tenant, body: PLAIN_PET });
const WRITER = { scope: 'read:pets write:pets' };

/** Proves contract 33.2. */
describe('tokens of the outside issuer that are rejected', () => {
  it('have one line in the log a minute for each reason, without the token', async () => {
    const own = await startStoreWith({ ...settingsFor(issuer), LOG_LEVEL: 'warn' });
    try {
      const expired = await issuer.sign({ exp: 1 });
      for (const token of [expired, expired, expired, await issuer.sign({ aud: 'other' })])
        expectProblem(await own.request('GET', '/v1/pets', { token }), 401, 'unauthorized');
      expect(own.log().match(/"reason":"[^"]+","count":\d+/g)).toEqual([
        '"reason":"it has expired","count":1',
        '"reason":"its claim aud is missing or does not fit","count":1',
      ]);
      expect(own.log()).not.toContain(expired.slice(-40));
    } finally {
      await own.stop();
    }
  });
});

/** Proves contract 33.2. */
describe('a token of the outside issuer', () => {
  it.each(ALGORITHMS)('is accepted with %s', async (alg) =>
    expect((await createPet(await issuer.sign(WRITER, { key: keyOf(alg) }))).status).toBe(201),
  );

  it.each([{ typ: 'at+jwt' }, { typ: 'application/at+jwt' }, { typ: 'JWT' }, { typ: 'jwt' }, { typ: undefined }])(
    'is accepted with the header %j',
    async (header) => expect((await createPet(await issuer.sign(WRITER, { header }))).status).toBe(201),
  );

  it.each([
    { aud: ['elsewhere', 'petstore'] },
    { iat: undefined },
    { nbf: Math.floor(Date.now() / 1_000) + 30 },
    { azp: 'shop', nonce: 'n' },
  ])('is accepted with the claims %j', async (claims) =>
    expect((await createPet(await issuer.sign({ ...WRITER, ...claims }))).status).toBe(201),
  );

  it('permits what its scopes permit', async () => {
    const response = await createPet(await issuer.sign({ scope: 'read:pets' }));
    expectProblem(response, 403, 'forbidden');
    expect(response.headers['www-authenticate']).toContain('error="insufficient_scope", scope="write:pets"');
  });

  it('is bound to the tenant that it names', async () => {
    const token = await issuer.sign({ ...WRITER, tenant: TENANT });
    const { id } = (await createPet(token)).json as { readonly id: string };
    expect((await service.request('GET', `/v1/pets/${id}`, { tenant: TENANT })).status).toBe(200);
    expect((await service.request('GET', `/v1/pets/${id}`)).status).toBe(404);
    expectProblem(await createPet(token, randomUUID()), 403, 'forbidden');
  });

  const now = Math.floor(Date.now() / 1_000);
  it.each<[string, object]>([
    ['for another audience', { aud: 'elsewhere' }],
    ['for no audience', { aud: undefined }],
    ['for an audience in another case', { aud: ['PETSTORE', 'petstore '] }],
    ['of another issuer', { iss: 'https://login.example.com' }],
    ['of the issuer with an additional slash', { iss: 'slash' }],
    ['of no issuer', { iss: undefined }],
    ['of the issuer petstore', { iss: 'petstore' }],
    ['that has expired', { exp: now - 120 }],
    ['without an expiry', { exp: undefined }],
    ['that is not valid yet', { nbf: now + 120 }],
    ['that is issued in the future', { iat: now + 120 }],
    ['without a subject', { sub: undefined }],
    ['of the subject anonymous', { sub: 'anonymous' }],
    ['with a tenant that is no UUID', { tenant: 'acme' }],
    ['with the tenant null', { tenant: null }],
    ['with scopes that are a number', { scope: 7 }],
    ['that is an ID token', { at_hash: 'x' }],
  ])('is rejected: a token %s', async (_, claims) => {
    const changes = 'iss' in claims && claims.iss === 'slash' ? { iss: `${issuer.url}/` } : claims;
    expectProblem(await createPet(await issuer.sign({ ...WRITER, ...changes })), 401, 'unauthorized');
  });

  it.each(REJECTED_ALGORITHMS)('is rejected with %s, although the issuer has such a key', async (alg) =>
    expectProblem(await createPet(await issuer.sign(WRITER, { key: keyOf(alg) })), 401, 'unauthorized'),
  );

  it.each([{ typ: 'id+jwt' }, { typ: 'logout+jwt' }, { typ: 'dpop+jwt' }, { typ: '' }, { typ: 7 }])(
    'is rejected with the header %j',
    async (header) => expectProblem(await createPet(await issuer.sign(WRITER, { header })), 401, 'unauthorized'),
  );

  it('is rejected if it is signed with a key that the issuer does not publish, even if the header names or contains the key', async () => {
    const key = keyOf('unknown');
    const { jwk } = key;
    for (const header of [
      {},
      { kid: 'ES256' },
      { kid: undefined },
      { jwk },
      { jku: `${issuer.url}/keys` },
      { x5u: issuer.url, kid: '../keys' },
    ])
      expectProblem(await createPet(await issuer.sign(WRITER, { key, header })), 401, 'unauthorized');
  });

  it('is rejected if it names the key of another algorithm', async () =>
    expectProblem(await createPet(await issuer.sign(WRITER, { key: keyOf('RS256'), header: { kid: 'PS256' } })), 401, 'unauthorized'));

  it('is rejected if it is unsigned, or signed with a public key as a shared secret', async () => {
    const [, claims = ''] = (await issuer.sign(WRITER)).split('.');
    const partsWith = (header: object) => `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${claims}`;
    const publicKey = createPublicKey(keyOf('RS256').privateKey);
    const secrets = [publicKey.export({ format: 'pem', type: 'spki' }), publicKey.export({ format: 'der', type: 'spki' }), ''];
    const shared = ['HS256', 'HS384', 'HS512'].flatMap((alg) =>
      secrets.map((secret) => {
        const parts = partsWith({ alg, kid: 'RS256', typ: 'at+jwt' });
        return `${parts}.${createHmac(alg.replace('HS', 'sha'), secret).update(parts).digest('base64url')}`;
      }),
    );
    const unsigned = ['none', 'None', ''].map((alg) => `${partsWith({ alg, typ: 'at+jwt' })}.`);
    for (const token of [...shared, ...unsigned]) expectProblem(await createPet(token), 401, 'unauthorized');
  });
});

/** Proves contract 33.1. */
describe('with an outside issuer', () => {
  it.each(['/openapi.json', '/openapi-3.1.json', '/docs/reference.json'])('%s names no authorization server', async (path) => {
    const { status, text, json } = await service.request<Described>('GET', path);
    expect(status).toBe(200);
    expect(text).not.toMatch(/\/oauth\b|"oauth2"/);
    const operations = Object.values(json.paths).flatMap((item) => Object.values(item));
    const schemes = new Set(operations.flatMap(({ security }) => security.flatMap((scheme) => Object.keys(scheme))));
    expect(Object.keys(json.components.securitySchemes)).toEqual(expect.arrayContaining([...schemes]));
    expect([...schemes]).toContain(path === '/docs/reference.json' ? 'Token' : 'bearerAuth');
  });

  it('a sign-in is rejected with a problem that names the issuer', async () => {
    const username = `ann-${randomUUID().slice(0, 8)}`;
    const account = { username, email: `${username}@example.com`, password: PASSWORD };
    const { id } = (await service.request<{ id: string }>('POST', '/v1/users', { body: account })).json;
    const response = await service.request('POST', '/v1/auth/tokens', { body: { username, password: PASSWORD } });
    expectProblem(response, 403, 'forbidden');
    expect(response.text).toContain(`access tokens come from ${issuer.url}.`);
    for (const path of ['/oauth/authorize', '/oauth/jwks', '/.well-known/openid-configuration'])
      expect((await service.request('GET', path)).status).toBe(404);
    expect((await service.request('GET', '/v1/users/me', { token: await issuer.sign({ sub: id }) })).status).toBe(200);
    expect((await service.request('GET', '/v1/users/me', { token: await issuer.sign() })).status).toBe(404);
  });

  it('the tokens of earlier sign-ins are rejected', async () => {
    const folder = { DATA_DIR: newFolder() };
    const earlier = await startOwnPetstore(folder);
    const body = { username: 'ann', password: PASSWORD };
    await earlier.request('POST', '/v1/users', { body: { ...body, email: 'ann@example.com' } });
    const { token } = (await earlier.request<{ token: string }>('POST', '/v1/auth/tokens', { body })).json;
    expect((await earlier.request('GET', '/v1/users/me', { token })).status).toBe(200);
    await earlier.stop();
    const later = await startOwnPetstore({ ...folder, ...settingsFor(issuer) });
    expectProblem(await later.request('GET', '/v1/users/me', { token }), 401, 'unauthorized');
    await later.stop();
  });

  it('the tokens of `petstore token` are still accepted', async () =>
    expect((await createPet(await service.token('write:pets'))).status).toBe(201));

  it('the readiness response shows that the keys of the issuer are known', async () => {
    const info = expect.objectContaining({ issuer: { status: 'up', keys: 'current' } });
    await eventually('the keys', async () => {
      const { status, json } = await service.request<{ info: object }>('GET', '/health/ready');
      return expect([status, json.info]).toEqual([200, info]) ?? true;
    });
  });

  it('the scopes and the tenant can come from other claims, which settings name', async () => {
    const own = await startOwnPetstore({
      ...settingsFor(issuer),
      OIDC_SCOPE_CLAIM: 'realm_access.roles',
      OIDC_TENANT_CLAIM: 'org.id',
    });
    try {
      const token = await issuer.sign({ scope: '', realm_access: { roles: ['write:pets'] }, org: { id: TENANT } });
      expect((await own.request('POST', '/v1/pets', { token, body: PLAIN_PET })).status).toBe(201);
      expectProblem(await own.request('GET', '/v1/pets', { token, tenant: randomUUID() }), 403, 'forbidden');
    } finally {
      await own.stop();
    }
  });
});

/** Proves contract 33.3, contract 33.4 and contract 25.1. */
describe('during outages and key changes of the outside issuer', () => {
  it('its tokens get 503 until its keys are known; afterwards they are accepted, even in the next outage', async () => {
    const distant = await startIssuer(keyOf('ES256'));
    await distant.stop();
    const clock = manualClock(Date.now());
    const own = await startOwnPetstore(settingsFor(distant), { clock });
    const create = (token: string) => own.request('POST', '/v1/pets', { token, body: PLAIN_PET });
    const keysState = async () => {
      const { status, json } = await own.request<{ info: { issuer: { keys: string } } }>('GET', '/health/ready');
      return [status, json.info.issuer.keys].join(' ');
    };
    try {
      const token = await distant.sign(WRITER);
      const refused = await create(token);
      expectProblem(refused, 503, 'temporarily-unavailable');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expectProblem(await create(`${token}, Basic x`), 401, 'unauthorized');
      expect([(await own.request('GET', '/v1/pets')).status, (await create(await own.token('write:pets'))).status]).toEqual([200, 201]);
      expect(await keysState()).toBe('200 none');
      await distant.start();
      clock.advance(10_000);
      await eventually('the keys', async () => (await keysState()) === '200 current');
      expect((await create(token)).status).toBe(201);
      await distant.stop();
      clock.advance(300_000);
      await eventually('the fault', async () => (await keysState()) === '200 old');
      expect((await create(await distant.sign({ ...WRITER, sub: 'bob' }))).status).toBe(201);
    } finally {
      await stopByClock(clock, own);
    }
  });

  it('a new key of the issuer is accepted ten seconds after the last read of its keys', async () => {
    const rolling = await startIssuer(keyOf('ES256'));
    const clock = manualClock(Date.now());
    const own = await startOwnPetstore(settingsFor(rolling), { clock });
    const create = async (key: IssuerKey) =>
      (await own.request('POST', '/v1/pets', { token: await rolling.sign(WRITER, { key }), body: PLAIN_PET })).status;
    try {
      expect(await create(keyOf('ES256'))).toBe(201);
      rolling.publish(keyOf('RS256'));
      clock.advance(10_000);
      expect([await create(keyOf('RS256')), await create(keyOf('ES256'))]).toEqual([201, 401]);
    } finally {
      await stopByClock(clock, own);
      await rolling.stop();
    }
  });
});
