import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccessToken } from '../../apps/api/sign-in/sign-in.dto.js';
import type { User } from '../../apps/api/users/user.dto.js';
import type { PasswordHasher } from '../../libs/ports/password-hasher.port.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { itOnOwnPetstore, startOwnPetstore, startTestPetstore, type OwnPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { override } from '../../libs/eventsourcing/testing/override.js';

let service: TestPetstore;
beforeAll(async () => {
  service = await startTestPetstore();
});
afterAll(() => service.stop());

const PASSWORD = 'correct horse battery';

const create = async (options: object = {}, fields: object = {}): Promise<User> => {
  const username = `ann-${randomUUID().slice(0, 8)}`;
  const body = { username, email: `${username}@example.com`, password: PASSWORD, ...fields };
  return (await service.request<User>('POST', '/v1/users', { body, ...options })).json;
};
const signIn = (username: string, password = PASSWORD, options: object = {}) =>
  service.request<AccessToken>('POST', '/v1/auth/tokens', { body: { username, password }, ...options });

/** Proves contract 30.7. Proves rows of contract 42.5, 42.10 and 42.21. */
describe('signing in', () => {
  it('returns a token of the account for 24 hours', async () => {
    const user = await create();
    const before = Date.now();
    const { status, json, headers } = await signIn(user.username);
    expect([status, json.tokenType, headers['cache-control']]).toEqual([201, 'Bearer', 'no-store']);
    expect(Math.abs(Date.parse(json.expiresAt) - before - 86_400_000)).toBeLessThan(60_000);
    const { token } = json;
    expect((await service.request<User>('GET', '/v1/users/me', { token })).json).toEqual(user);
    expectProblem(await service.request('GET', '/v1/users', { token }), 403, 'forbidden');
    expect((await service.request('PUT', `/v1/users/${user.id}`, { token, body: { firstName: 'Ann' } })).status).toBe(200);
  });

  it('accepts a password of 128 characters from a keyboard that writes each accent apart', async () => {
    const password = 'é'.repeat(128);
    const { username } = await create({}, { password });
    expect((await signIn(username, password.normalize('NFD'))).status).toBe(201);
  });

  it('accepts the username however it is written', async () => {
    const { username } = await create();
    expect((await signIn(username.toUpperCase())).status).toBe(201);
  });

  itOnOwnPetstore('stores a hash of an older form anew, once', async () => {
    let form = 'older';
    const calls: string[] = [];
    const passwords: PasswordHasher = {
      hash: async (password) => `${form} ${calls.push('hash') > 0 ? password : ''}`,
      verify: async (password, hash) => {
        if (hash === `${form} ${password}`) return 'correct';
        return hash === `older ${password}` ? 'outdated' : 'wrong';
      },
    };
    const own = await startOwnPetstore({}, { passwords });
    const body = { username: 'ann', email: 'ann@example.com', password: PASSWORD };
    expect((await own.request('POST', '/v1/users', { body })).status).toBe(201);
    form = 'newer';
    const signInTo = async () => (await own.request('POST', '/v1/auth/tokens', { body: { username: 'ann', password: PASSWORD } })).status;
    expect([await signInTo(), await signInTo(), calls]).toEqual([201, 201, ['hash', 'hash']]);
    await own.stop();
  });

  it('gets the same response for a wrong password and for an unknown name', async () => {
    const { username } = await create();
    const [wrong, unknown] = [await signIn(username, 'wrong password'), await signIn(randomUUID())];
    expectProblem(wrong, 401, 'unauthorized');
    expect([unknown.status, unknown.text, unknown.headers['www-authenticate']]).toEqual([401, wrong.text, 'Bearer realm="petstore"']);
  });

  it('accepts only the new password after a change, and no password after an erasure', async () => {
    const user = await create();
    const { token } = (await signIn(user.username)).json;
    const path = `/v1/users/${user.id}`;
    expect((await service.request('PUT', path, { token, body: { password: 'another horse battery' } })).status).toBe(200);
    expect((await signIn(user.username)).status).toBe(401);
    const changed = await signIn(user.username, 'another horse battery');
    expect(changed.status).toBe(201);
    expect((await service.request('DELETE', path, { token: changed.json.token })).status).toBe(204);
    expect((await signIn(user.username, 'another horse battery')).status).toBe(401);
  });

  it('finds an account only in its own tenant, and binds the token to that tenant', async () => {
    const [tenant, other] = [randomUUID(), randomUUID()];
    const { username } = await create({ tenant });
    expect([(await signIn(username)).status, (await signIn(username, PASSWORD, { tenant: other })).status]).toEqual([401, 401]);
    const { token } = (await signIn(username, PASSWORD, { tenant })).json;
    expect((await service.request<User>('GET', '/v1/users/me', { token })).json.username).toBe(username);
    expectProblem(await service.request('GET', '/v1/pets', { token, tenant: other }), 403, 'forbidden');
  });

  it.each([
    [{ username: 'ann' }, ['password']],
    [{ username: '', password: PASSWORD }, ['username']],
    [{ username: 'ann', password: 'x'.repeat(513) }, ['password']],
  ])('is rejected with the body %j', async (body, fields) => {
    const { status, json } = await service.request<{ errors: { field: string }[] }>('POST', '/v1/auth/tokens', { body });
    expect([status, json.errors.map(({ field }) => field)]).toEqual([422, fields]);
  });
});

/** Proves contract 11.2. */
describe('the limit of sign-ins', () => {
  let limited: OwnPetstore | undefined;
  afterAll(() => limited?.stop());

  itOnOwnPetstore(
    'is 10 failures a minute from an address, whatever the common limit is and whatever token the requests carry',
    async () => {
      // The clock always shows the same time, so that no new window of a minute begins during the test.
      const now = manualClock().now();
      const clock = override(systemClock, { now: () => now });
      limited = await startOwnPetstore({ RATE_LIMIT: '1000/60s' }, { clock });
      const tokens = [
        undefined,
        await limited.token('read:pets', { subject: 'ann' }),
        await limited.token('ops', { tenant: randomUUID() }),
      ];
      // Another name each time, because attempts at one name are slowed down sooner (contract 30.7).
      const attempt = (nth: number, token?: string) =>
        limited?.request('POST', '/v1/auth/tokens', {
          body: { username: `ann-${nth}`, password: PASSWORD },
          ...(token !== undefined && { token }),
        });
      const statuses: (number | undefined)[] = [];
      for (let n = 0; n < 11; n++) statuses.push((await attempt(n, tokens[n % 3]))?.status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
      const response = await attempt(11);
      expect([response?.headers['ratelimit-limit'], (await limited.request('GET', '/v1/pets')).headers['ratelimit-limit']]).toEqual([
        '60',
        '1000',
      ]);
      expect([Number(response?.headers['retry-after']) > 0, response?.text.includes('have failed')]).toEqual([true, true]);
    },
  );

  itOnOwnPetstore(
    'does not count successes as failures: an office behind one address signs in 60 times a minute, also at once',
    async () => {
      const now = manualClock().now();
      const service = await startOwnPetstore({ RATE_LIMIT: '1000/60s' }, { clock: override(systemClock, { now: () => now }) });
      try {
        const names = ['ann', 'bob', 'cat', 'dan'];
        for (const username of names)
          await service.request('POST', '/v1/users', { body: { username, email: `${username}@example.com`, password: PASSWORD } });
        const signIn = async (nth: number, password = PASSWORD) =>
          (await service.request('POST', '/v1/auth/tokens', { body: { username: names[nth % names.length], password } })).status;
        const failed = [await signIn(0, 'wrong password'), await signIn(1, 'wrong password')];
        // More attempts at once than places for failures: the others wait until a place is given back.
        const together = await Promise.all(Array.from({ length: 24 }, (_, nth) => signIn(nth)));
        const oneByOne: number[] = [];
        for (let nth = 0; nth < 35; nth++) oneByOne.push(await signIn(nth));
        expect([failed, together]).toEqual([[401, 401], Array.from({ length: 24 }, () => 201)]);
        expect(oneByOne).toEqual([...Array.from({ length: 34 }, () => 201), 429]);
      } finally {
        await service.stop();
      }
    },
  );

  itOnOwnPetstore('is not exceeded by failures at the same time', async () => {
    const now = manualClock().now();
    const service = await startOwnPetstore({ RATE_LIMIT: '1000/60s' }, { clock: override(systemClock, { now: () => now }) });
    try {
      const attempts = Array.from({ length: 30 }, (_, nth) =>
        service.request('POST', '/v1/auth/tokens', { body: { username: `nobody-${nth}`, password: PASSWORD } }),
      );
      const statuses = (await Promise.all(attempts)).map(({ status }) => status);
      expect([statuses.filter((status) => status === 401).length, statuses.filter((status) => status === 429).length]).toEqual([10, 20]);
    } finally {
      await service.stop();
    }
  });
});
