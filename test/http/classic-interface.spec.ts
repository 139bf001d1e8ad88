import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CLASSIC_OPERATIONS } from '../../apps/api/operations.js';
import { openCollector } from '../servers/collector.js';
import { startStoreWith, startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { newUser, openShop, PASSWORD, type Shop } from './shop.js';

const DEPRECATION = { deprecation: '@1796083200', sunset: 'Sun, 31 Dec 2028 23:59:59 GMT' };
const LUNA = { name: 'Luna', photoUrls: [] };

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service, randomUUID());
});
afterAll(() => service.stop());

/** Proves contract 39.5 and contract 39.9. Proves rows of contract 42.15. */
describe('below /api/v3', () => {
  it('a success has Deprecation and Sunset', async () => {
    expect((await shop.request('GET', '/api/v3/pet/findByStatus')).headers).toMatchObject(DEPRECATION);
    expect((await shop.request('OPTIONS', '/api/v3/pet')).headers).toMatchObject({ ...DEPRECATION, allow: 'OPTIONS, POST, PUT' });
    expect((await shop.request('GET', '/v1/pets')).headers['deprecation']).toBeUndefined();
  });

  it.each<[number, string, string, string, object]>([
    [404, 'not-found', 'GET', '/api/v3/nowhere', {}],
    [404, 'not-found', 'GET', '/api/v3', { headers: { accept: 'text/html, application/json;q=0.1' } }],
    [404, 'not-found', 'GET', '/api/v3/pet/999999', {}],
    [405, 'method-not-allowed', 'PATCH', '/api/v3/pet', {}],
    [405, 'method-not-allowed', 'POST', '/api/v3/pet/findByStatus', {}],
    [405, 'method-not-allowed', 'DELETE', '/api/v3/user/login', {}],
    [406, 'not-acceptable', 'GET', '/api/v3/pet/1', { headers: { accept: 'application/xml' } }],
    [406, 'not-acceptable', 'GET', '/api/v3/pet/1', { headers: { accept: 'text/*, application/json;q=0' } }],
    [400, 'invalid-request', 'GET', '/api/v3/pet/findByStatus', { headers: { 'x-tenant-id': 'mine' } }],
    [400, 'invalid-request', 'GET', '/api/v3/pet/findByStatus?page=1', {}],
    [401, 'unauthorized', 'POST', '/api/v3/pet', { body: LUNA }],
    [401, 'unauthorized', 'GET', '/api/v3/pet/findByStatus', { token: 'none' }],
    [415, 'unsupported-media-type', 'POST', '/api/v3/user/login', { raw: '<a/>', headers: { 'content-type': 'application/xml' } }],
    [
      415,
      'unsupported-media-type',
      'POST',
      '/api/v3/user',
      { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    [413, 'content-too-large', 'POST', '/api/v3/user', { raw: `"${'x'.repeat(1_100_000)}"` }],
    [400, 'malformed-request', 'POST', '/api/v3/user', { raw: '{' }],
    [400, 'malformed-request', 'GET', '/api/v3/%', {}],
    [422, 'validation-failed', 'POST', '/api/v3/user', { body: {} }],
  ])('an error has status %i and type %s: %s %s', async (status, type, method, path, options) => {
    const response = await shop.request(method, path, options);
    expect([response.status, response.json]).toEqual([status, { code: status, type, message: expect.any(String) }]);
    expect(response.headers).toMatchObject({ ...DEPRECATION, 'content-type': 'application/json; charset=utf-8' });
  });

  it('an error with status 403 names the missing scope', async () => {
    const { status, json, headers } = await shop.request('POST', '/api/v3/pet', { body: LUNA, token: await service.token('read:pets') });
    expect([status, json]).toEqual([403, { code: 403, type: 'forbidden', message: 'This operation needs a token with scope write:pets.' }]);
    expect(headers['www-authenticate']).toContain('scope="write:pets"');
  });

  it.each(['application/json', '*/*', 'application/*;q=0.5', 'application/xml, application/json', ''])(
    'Accept: %s is accepted',
    async (accept) => expect((await shop.request('GET', '/api/v3/pet/findByStatus', { headers: { accept } })).status).toBe(200),
  );

  it('a read that has not changed is 304', async () => {
    const { headers } = await shop.request('GET', '/api/v3/pet/findByStatus');
    const etag = String(headers.etag);
    for (const ifNoneMatch of [etag, `W/${etag}`, etag.replace(/"$/, '-gzip"')])
      expect((await shop.request('GET', '/api/v3/pet/findByStatus', { ifNoneMatch })).status).toBe(304);
  });
});

/** Proves contract 39.1, and contract 39.10: the header X-Tenant-ID. */
describe('the header X-Tenant-ID', () => {
  it('selects the tenant, and another tenant’s pet, order and user are 404', async () => {
    const [own, other] = [shop, await openShop(service, randomUUID())];
    const pet = (await own.requestAsStaff<{ id: number }>('POST', '/api/v3/pet', { body: LUNA })).json.id;
    const order = (await own.request<{ id: number }>('POST', '/api/v3/store/order', { body: { petId: pet } })).json.id;
    const user = newUser();
    await own.request('POST', '/api/v3/user', { body: user });
    const token = await service.token('write:orders ops');
    for (const path of [`/api/v3/pet/${pet}`, `/api/v3/store/order/${order}`, `/api/v3/user/${user.username}`])
      expect([(await own.request('GET', path, { token })).status, (await other.request('GET', path, { token })).status]).toEqual([
        200, 404,
      ]);
    expect((await other.request('GET', '/api/v3/pet/findByStatus?status=available,pending,sold')).json).toEqual([]);
    expect((await other.requestAsStaff('GET', '/api/v3/store/inventory')).json).toEqual({ available: 0, pending: 0, sold: 0 });
  });
});

/**
 * The example bodies in the document of the public classic pet store, with another password: theirs has 5 characters. Proves
 * contract 39.1.
 */
describe('a body as clients of the public classic pet store send it', () => {
  const PET = {
    ...{ id: 10, name: 'doggie', category: { id: 1, name: 'Dogs' }, photoUrls: ['string'] },
    ...{ tags: [{ id: 0, name: 'string' }], status: 'available' },
  };
  const USER = {
    ...{ id: 10, username: 'theUser', firstName: 'John', lastName: 'James', email: 'john@email.com' },
    ...{ password: '1234567890', phone: '12345', userStatus: 1 },
  };
  let own: Shop;
  beforeAll(async () => {
    own = await openShop(service, randomUUID());
  });
  const addPet = async () => (await own.requestAsStaff<{ id: number }>('POST', '/api/v3/pet', { body: PET })).json;

  it('adds and changes a pet', async () => {
    const pet = await addPet();
    expect(pet).toEqual({ ...PET, id: expect.any(Number) });
    const changed = await own.requestAsStaff('PUT', '/api/v3/pet', { body: { ...PET, id: pet.id } });
    expect([changed.status, changed.json]).toEqual([200, pet]);
  });

  it('places an order', async () => {
    const { id: petId } = await addPet();
    const order = { id: 10, petId, quantity: 7, shipDate: '2026-12-24T10:15:30.123Z', status: 'approved', complete: true };
    const { status, json } = await own.request('POST', '/api/v3/store/order', { body: order });
    expect([status, json]).toEqual([
      200,
      { id: expect.any(Number), petId, quantity: 7, shipDate: '2026-12-24T00:00:00.000Z', status: 'placed', complete: false },
    ]);
  });

  it('creates one user and several users, and changes one', async () => {
    const { password, ...shown } = USER;
    const created = await own.request('POST', '/api/v3/user', { body: USER });
    expect([created.status, created.json]).toEqual([200, { ...shown, id: expect.any(Number) }]);
    const named = (name: string) => ({ ...USER, username: name, email: `${name}@email.com` });
    for (const way of ['createWithList', 'createWithArray']) {
      const { status, json } = await own.request('POST', `/api/v3/user/${way}`, { body: [named(`${way}1`), named(`${way}2`)] });
      expect([status, json]).toMatchObject([200, { username: `${way}2`, phone: '12345' }]);
    }
    const token = (await own.request<string>('GET', `/api/v3/user/login?username=theUser&password=${password}`)).json;
    expect((await own.request('PUT', '/api/v3/user/theUser', { body: USER, token })).status).toBe(200);
    expect((await own.request('POST', '/api/v3/user', { body: { ...named('short'), password: '12345' } })).status).toBe(422);
  });
});

/** Proves contract 39.3. */
describe('the integer ids', () => {
  it('differ in 50 concurrent creations through both interfaces', async () => {
    const many = await openShop(service, randomUUID());
    const names = Array.from({ length: 50 }, (_, index) => `pet-${index}`);
    const create = (name: string, index: number) =>
      index % 2 === 0
        ? many.requestAsStaff('POST', '/api/v3/pet', { body: { name, photoUrls: [] } })
        : many.requestAsStaff('POST', '/v1/pets', { body: { name, species: 'CAT', ageMonths: 3 } });
    await Promise.all(names.map(create));
    const { json } = await many.request<readonly { id: number; name: string }[]>('GET', '/api/v3/pet/findByStatus');
    expect(json.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(new Set(json.map(({ id }) => id)).size).toBe(50);
  });

  it('differ between pets, orders and users, which begin to count at 1 in each tenant', async () => {
    const one = await openShop(service, randomUUID());
    const pet = (await one.requestAsStaff<{ id: number }>('POST', '/api/v3/pet', { body: LUNA })).json.id;
    const order = (await one.request<{ id: number }>('POST', '/api/v3/store/order', { body: { petId: pet } })).json.id;
    const user = newUser();
    const { id } = (await one.request<{ id: number }>('POST', '/api/v3/user', { body: user })).json;
    expect([pet, order, id].toSorted()).toEqual([1, 2, 3]);
    const shown = await one.request<{ id: number }>('GET', `/api/v3/user/${user.username}`, { token: await service.token('ops') });
    expect(shown.json.id).toBe(id);
  });
});

/** Returns the number of the current window for attempts to sign in. A window is a minute of the clock. */
const windowNumber = (): number => Math.floor(Date.now() / 60_000);

/** Proves contract 39.2 and contract 11.2. */
describe('the rate limit', () => {
  it('counts both interfaces together, and allows 10 sign-in attempts a minute', async () => {
    const limited = await startStoreWith({ RATE_LIMIT: '600/1h' });
    try {
      const remaining = async (path: string) => Number((await limited.request('GET', path)).headers['ratelimit-remaining']);
      const [first, second] = [await remaining('/v1/pets'), await remaining('/api/v3/pet/findByStatus')];
      expect(first - second).toBe(1);
      // Another name each time, because attempts at one name are slowed down sooner (contract 30.7).
      const attempt = (index: number) => {
        const body = { username: `nobody-${index}`, password: PASSWORD };
        if (index % 3 === 0) return limited.request('POST', '/v1/auth/tokens', { body });
        return index % 3 === 1
          ? limited.request('POST', '/api/v3/user/login', { body })
          : limited.request('GET', `/api/v3/user/login?${new URLSearchParams(body).toString()}`);
      };
      const begun = windowNumber();
      let rejected = 0;
      while ((await attempt(rejected)).status === 401) rejected++;
      expect(rejected).toBeGreaterThanOrEqual(10);
      expect(rejected).toBeLessThanOrEqual(10 * (1 + windowNumber() - begun));
      expect((await attempt(1)).json).toMatchObject({ code: 429, type: 'too-many-requests' });
    } finally {
      await limited.stop();
    }
  });
});

/** Proves contract 39.7, contract 39.8, contract 25.5 and contract 25.8. */
describe('a password or a username in a URL', () => {
  it('is in no line of the log, in no trace and in no security event', async () => {
    const collector = await openCollector();
    const traced = await startStoreWith({ ...collector.settings, LOG_LEVEL: 'debug', RATE_LIMIT: 'off' });
    const { username, email, password } = { ...newUser(), password: 'canary-of-the-password' };
    const query = `?username=${encodeURIComponent(username)}&password=${password}`;
    try {
      await traced.request('POST', '/api/v3/user', { body: { username, email, password } });
      const token = (await traced.request<string>('GET', `/api/v3/user/login${query}`)).json;
      expect((await traced.request('GET', `/api/v3/user/login${query}x`)).status).toBe(401);
      expect((await traced.request('POST', `/api/v3/user/login${query}`, { body: { username, password } })).status).toBe(400);
      await traced.request('PUT', `/api/v3/user/${username}`, { token, body: { password: `${password}-2` } });
      await traced.request('GET', `/api/v3/user/${username}`);
      await traced.request('GET', `/api/v3/user/${username}/nothing`);
      await traced.request('DELETE', `/api/v3/user/${username}`, { token: await traced.token('ops') });
      await collector.waitFor('DELETE /api/v3/user/{username}');
      const lines = traced.log();
      expect(lines.length > 0 && !lines.includes('/api/v3/user/login?')).toBe(true);
      for (const secret of [password, username]) {
        expect(lines.split('\n').filter((line) => line.includes(secret) && !line.includes('/nothing'))).toEqual([]);
        expect(collector.receiver.received.filter(({ body }) => body.includes(secret))).toEqual([]);
      }
      const audit = { token: await traced.token('audit:read ops') };
      const events = (await traced.request('GET', '/v1/audit/log?limit=100', audit)).text;
      for (const secret of [password, username]) expect(events).not.toContain(secret);
    } finally {
      await traced.stop();
      await collector.receiver.close();
    }
  });
});

/** Proves contract 39.9. */
describe('/api/v3/openapi.json', () => {
  it('is OpenAPI 3.0, and has every operation once', async () => {
    const { json } = await service.request<{ openapi: string; paths: Record<string, Record<string, { operationId: string }>> }>(
      'GET',
      '/api/v3/openapi.json',
    );
    const listed = Object.entries(json.paths).flatMap(([path, item]) =>
      Object.keys(item).map((verb) => `${verb.toUpperCase()} /api/v3${path}`),
    );
    expect(json.openapi).toBe('3.0.4');
    expect(listed.toSorted()).toEqual(
      Object.values(CLASSIC_OPERATIONS)
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    );
  });
});
