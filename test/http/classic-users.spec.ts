import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { newUser, openShop, PASSWORD, type Shop } from './shop.js';

type ClassicUser = { readonly id: number; readonly username: string; readonly email: string; readonly userStatus?: number };

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service, randomUUID());
});
afterAll(() => service.stop());

const createUser = (body: object) => shop.request<ClassicUser>('POST', '/api/v3/user', { body });
const createUsers = (body: readonly object[]) => shop.request<ClassicUser>('POST', '/api/v3/user/createWithList', { body });
/** Reads an account as an operator, because other callers can read only their own account. */
const getUser = async (name: string) =>
  shop.request<ClassicUser>('GET', `/api/v3/user/${encodeURIComponent(name)}`, { token: await service.token('ops') });
const login = (name: string, password: string = PASSWORD) =>
  shop.request<string>('GET', `/api/v3/user/login?username=${encodeURIComponent(name)}&password=${encodeURIComponent(password)}`);
const form = (fields: Readonly<Record<string, string>>) => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

/** Proves contract 39.7. Proves rows of contract 42.15. */
describe('POST /api/v3/user', () => {
  it('creates an account that /v1 lists without userStatus, and stores userStatus', async () => {
    const user = { ...newUser(), firstName: 'Ann', lastName: 'Lee', phone: '+14155550123', userStatus: 7 };
    const { password, ...shown } = user;
    const { status, json } = await createUser({ ...user, id: 10 });
    expect([status, json]).toEqual([200, { id: expect.any(Number), ...shown }]);
    expect([json.id === 10, password]).toEqual([false, PASSWORD]);
    expect((await getUser(user.username)).json).toEqual(json);
    const { json: found } = await service.request<{ data: readonly object[] }>('GET', '/v1/users?limit=1', {
      token: await service.token('ops', { tenant: shop.tenant ?? '' }),
    });
    expect(found.data[0]).toMatchObject({ username: user.username });
    expect(Object.keys(found.data[0] ?? {})).not.toContain('userStatus');
  });

  it('is 409 for a name in use and 422 for a user that breaks a rule', async () => {
    const user = newUser();
    await createUser(user);
    expect(await createUser({ ...newUser(), username: user.username })).toMatchObject({
      status: 409,
      json: { code: 409, type: 'conflict', message: 'username: is used by another account' },
    });
    const repeated = async (userStatus: number) =>
      shop.request('POST', '/api/v3/user', {
        body: { ...user, username: `${user.username}x`, email: `x${user.email}`, userStatus },
        idempotencyKey: 'k',
      });
    expect([(await repeated(1)).status, (await repeated(1)).status, (await repeated(2)).status]).toEqual([200, 200, 422]);
    expect(await createUser({ ...newUser(), password: 'short' })).toMatchObject({ status: 422, json: { code: 422 } });
  });
});

/** Proves contract 39.7. */
describe('POST /api/v3/user/createWithList', () => {
  it('creates all users and returns the last user', async () => {
    const users = [newUser(), { ...newUser(), userStatus: 1 }, { ...newUser(), firstName: 'Zoe', userStatus: 2 }];
    const { status, json } = await createUsers(users);
    const { password: _, ...last } = users[2] ?? newUser();
    expect([status, json]).toEqual([200, { id: expect.any(Number), ...last }]);
    const found = await Promise.all(users.map(({ username }) => getUser(username)));
    expect(found.map(({ status: one }) => one)).toEqual([200, 200, 200]);
    expect(found[2]?.json).toEqual(json);
    expect(new Set(found.map((user) => user.json.id)).size).toBe(3);
    expect((await login(users[0]?.username ?? '')).status).toBe(200);
  });

  it('creates no user if one name or email address is in use, and releases the names of the others', async () => {
    const taken = newUser();
    await createUser(taken);
    const users = [newUser(), { ...newUser(), email: taken.email }, newUser()];
    const { status, json } = await createUsers(users);
    expect([status, json]).toEqual([409, expect.objectContaining({ code: 409, type: 'conflict' })]);
    for (const { username } of users) expect((await getUser(username)).status).toBe(404);
    expect((await createUsers([users[0] ?? newUser()])).status).toBe(200);
  });

  it('creates no user if two users of the list have the same name', async () => {
    const user = newUser();
    const users = [user, { ...newUser(), username: user.username.toUpperCase() }];
    expect((await createUsers(users)).status).toBe(409);
    expect((await shop.request('POST', '/api/v3/user/createWithArray', { body: users })).status).toBe(409);
    expect((await getUser(user.username)).status).toBe(404);
  });

  it('creates no user if one user breaks a rule, and names that user', async () => {
    const user = newUser();
    const { status, json } = await createUsers([user, { ...newUser(), email: 'nowhere' }]);
    expect([status, json]).toEqual([422, { code: 422, type: 'validation-failed', message: expect.stringMatching(/^\[1\]\.email: /) }]);
    expect((await getUser(user.username)).status).toBe(404);
  });

  it.each([[[]], [Array.from({ length: 11 }, newUser)], [[1]]])('is 422 for a list that is empty, too long or invalid', async (users) =>
    expect((await createUsers(users as object[])).status).toBe(422),
  );
  it('takes a list, which POST /api/v3/user rejects with 422', async () => expect((await createUser([])).status).toBe(422));
});

/** Proves contract 39.8. */
describe('signing in', () => {
  it('takes name and password from the query, from a form and from JSON', async () => {
    const user = newUser();
    await createUser(user);
    const { status, json: token, headers } = await login(user.username);
    expect([status, headers['x-rate-limit'], headers['cache-control']]).toEqual([200, '60', 'no-store']);
    expect(new Date(headers['x-expires-after'] as string).getTime()).toBeGreaterThan(Date.now());
    const me = await service.request('GET', '/v1/users/me', { token });
    expect(me.json).toMatchObject({ username: user.username });
    const { username, password } = user;
    expect((await shop.request('POST', '/api/v3/user/login', form({ username, password }))).status).toBe(200);
    expect((await shop.request('POST', '/api/v3/user/login', { body: { username, password } })).status).toBe(200);
  });

  it('is 401 for a wrong name or password; without one of them, a query is 400 and a form is 422', async () => {
    const { username } = newUser();
    const failed = { code: 401, type: 'unauthorized', message: 'The username or the password is wrong.' };
    expect((await login(username)).json).toEqual(failed);
    expect((await shop.request('POST', '/api/v3/user/login', form({ username, password: 'x' }))).json).toEqual(failed);
    expect((await shop.request('GET', '/api/v3/user/login?username=ann')).json).toMatchObject({ code: 400 });
    expect((await shop.request('POST', '/api/v3/user/login', form({ username }))).json).toMatchObject({ code: 422 });
    const latin = {
      ...form({ username, password: 'x' }),
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=latin1' },
    };
    expect((await shop.request('POST', '/api/v3/user/login', latin)).status).toBe(415);
    const repeated = { raw: 'username=a&username=b&password=c', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await shop.request('POST', '/api/v3/user/login', repeated)).json).toMatchObject({ code: 422 });
    expect((await shop.request('POST', '/api/v3/user/login', { headers: {} })).json).toMatchObject({ code: 400 });
  });

  it('and a logout by HEAD check the caller, and neither begin nor end a session', async () => {
    const user = newUser();
    await createUser(user);
    const address = (password: string) => `/api/v3/user/login?username=${user.username}&password=${encodeURIComponent(password)}`;
    const { json: token } = await login(user.username);
    expect((await shop.request('HEAD', address('a wrong password'))).status).toBe(401);
    const { status, headers } = await shop.request('HEAD', address(PASSWORD));
    expect([status, headers['x-expires-after']]).toEqual([200, undefined]);
    expect((await service.request('HEAD', '/api/v3/user/logout', { token })).status).toBe(200);
    expect((await service.request<{ data: readonly object[] }>('GET', '/v1/auth/sessions', { token })).json.data).toHaveLength(1);
  });

  it('begins a session that a logout ends; without a session a logout changes nothing', async () => {
    const user = newUser();
    await createUser(user);
    const { json: token } = await login(user.username);
    expect((await service.request('GET', '/api/v3/user/logout', { token })).status).toBe(200);
    expect((await service.request('GET', '/v1/users/me', { token })).status).toBe(401);
    expect((await service.request('GET', '/api/v3/user/logout')).status).toBe(200);
    expect((await service.request('GET', '/api/v3/user/logout', { token: shop.staff })).status).toBe(200);
    expect((await service.request('GET', '/v1/webhooks', { token: shop.staff })).status).toBe(200);
  });
});

/** Proves contract 39.7. */
describe('a user', () => {
  it('changes its own members, its name included', async () => {
    const user = newUser();
    await createUser({ ...user, userStatus: 1 });
    const { json: token } = await login(user.username);
    const put = (name: string, body: object) => service.request<ClassicUser>('PUT', `/api/v3/user/${name}`, { token, body });
    const changed = await put(user.username, { phone: '+14155550199', userStatus: 5 });
    expect([changed.status, changed.json]).toMatchObject([200, { username: user.username, phone: '+14155550199', userStatus: 5 }]);
    expect((await getUser(user.username)).json).toEqual(changed.json);
    const { username } = newUser();
    expect((await put(user.username, { username })).json).toMatchObject({ id: changed.json.id, username, userStatus: 5 });
    expect([(await getUser(user.username)).status, (await getUser(username)).status]).toEqual([404, 200]);
  });

  it('is found by its name in any case, and only in its tenant', async () => {
    const user = newUser();
    await createUser(user);
    expect((await getUser(user.username.toUpperCase())).json.username).toBe(user.username);
    const elsewhere = await service.request('GET', `/api/v3/user/${user.username}`, { token: await service.token('ops') });
    expect(elsewhere.status).toBe(404);
  });

  it('cannot be changed by another user (404) or without a token (401)', async () => {
    const [ann, bob] = [newUser(), newUser()];
    await createUsers([ann, bob]);
    const { json: token } = await login(ann.username);
    const path = `/api/v3/user/${bob.username}`;
    expect((await service.request('PUT', path, { token, body: {} })).json).toEqual({
      code: 404,
      type: 'not-found',
      message: 'There is no user with this name.',
    });
    expect((await service.request('DELETE', path, { token })).status).toBe(404);
    expect((await shop.request('PUT', path, { body: {} })).status).toBe(401);
  });

  it('cannot take the name of another user: 409', async () => {
    const [ann, bob] = [newUser(), newUser()];
    await createUsers([ann, bob]);
    const { json: token } = await login(ann.username);
    const { json } = await service.request('PUT', `/api/v3/user/${ann.username}`, { token, body: { username: bob.username } });
    expect(json).toMatchObject({ code: 409, type: 'conflict' });
  });

  it('erases itself', async () => {
    const user = newUser();
    await createUser(user);
    const { json: token } = await login(user.username);
    const { status, text } = await service.request('DELETE', `/api/v3/user/${user.username}`, { token });
    expect([status, text]).toEqual([200, '']);
    expect((await getUser(user.username)).status).toBe(404);
    expect((await login(user.username)).status).toBe(401);
  });
});
