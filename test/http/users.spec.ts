import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { User } from '../../apps/api/users/user.dto.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import type { Page } from './shop.js';

let service: TestPetstore;
beforeAll(async () => {
  service = await startTestPetstore();
});
afterAll(() => service.stop());

type Problem = { readonly errors: readonly { readonly field: string }[] };

const PASSWORD = 'correct horse battery';

/** Returns the body of a new account with unique names. */
const newUser = (fields: object = {}) => {
  const name = `ann-${randomUUID().slice(0, 8)}`;
  return { username: name, email: `${name}@example.com`, password: PASSWORD, firstName: 'Ann', ...fields };
};
const create = async (fields: object = {}, options: object = {}): Promise<User> => {
  const { status, json, text } = await service.request<User>('POST', '/v1/users', { body: newUser(fields), ...options });
  if (status !== 201) throw new Error(`returned ${status}: ${text}`);
  return json;
};
const tokenOf = ({ id }: User): Promise<string> => service.token('read:pets', { subject: id });

/**
 * Proves contract 30.1, contract 30.3, contract 30.4 and contract 9.1.
 * Proves rows of contract 42.2, 42.5, 42.10, 42.14, 42.18 and 42.21.
 */
describe('an account', () => {
  it('is created with its fields, without its password', async () => {
    const body = newUser({ lastName: 'Lee', phone: '+14155550123' });
    const { status, json, headers, text } = await service.request<User>('POST', '/v1/users', { body });
    const { password, ...fields } = body;
    expect([status, json]).toEqual([201, { ...fields, id: json.id, createdAt: json.createdAt, updatedAt: json.createdAt }]);
    expect(headers.location).toBe(`${service.url}/v1/users/${json.id}`);
    expect(text).not.toContain(password);
    const read = await service.request<User>('GET', `/v1/users/${json.id}`);
    expect([read.status, read.json, read.headers.etag]).toEqual([200, json, headers.etag]);
  });

  it('is created once for repeated requests with one Idempotency-Key', async () => {
    const [body, idempotencyKey] = [newUser(), randomUUID()];
    const first = await service.request<User>('POST', '/v1/users', { body, idempotencyKey });
    const second = await service.request<User>('POST', '/v1/users', { body, idempotencyKey });
    expect([second.status, second.text, second.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
    const other = await service.request('POST', '/v1/users', { body: { ...body, firstName: 'Bob' }, idempotencyKey });
    expectProblem(other, 422, 'idempotency-key-reused', { 'Idempotency-Key': 'mismatch' });
  });

  it('is not created again by a repeated request after it was erased', async () => {
    const [body, idempotencyKey] = [newUser(), randomUUID()];
    const { json: user } = await service.request<User>('POST', '/v1/users', { body, idempotencyKey });
    await service.request('DELETE', `/v1/users/${user.id}`, { token: await tokenOf(user) });
    expectProblem(await service.request('POST', '/v1/users', { body, idempotencyKey }), 409, 'conflict');
  });

  it.each([
    ['username', 'ab'],
    ['username', ' ann'],
    ['username', 'a\nb\nc'],
    ['username', 'x'.repeat(51)],
    ['email', 'ann'],
    ['email', 'ann@localhost'],
    ['email', 'ann@@example.com'],
    ['email', '.ann@example.com'],
    ['email', 'ann.@example.com'],
    ['email', 'ann..lee@example.com'],
    ['email', `${'x'.repeat(65)}@example.com`],
    ['email', `${'é'.repeat(33)}@example.com`],
    ['username', 'ann\u{1d159}'],
    ['firstName', 'Ann\u0085'],
    ['lastName', 'Lee\u2028Kim'],
    ['password', 'short'],
    ['password', 'x'.repeat(129)],
    ['phone', '12'],
    ['phone', '1'.repeat(31)],
    ['phone', '+1 415 x 12'],
    ['phone', '555\n0100'],
    ['firstName', ''],
  ])('is rejected with the %s %j', async (field, value) => {
    const { status, json } = await service.request<Problem>('POST', '/v1/users', { body: newUser({ [field]: value }) });
    expect([status, [...new Set(json.errors.map((error) => error.field))]]).toEqual([422, [field]]);
  });

  it.each(['123', '+14155550123', '(0) 30 - 1', '+49 (0)30.123-45', '1'.repeat(30)])('may have the phone %j', async (phone) =>
    expect((await create({ phone })).phone).toBe(phone),
  );

  it('has no phone if it is empty, and an empty phone changes nothing', async () => {
    const { id, ...user } = await create({ phone: '' });
    expect('phone' in user).toBe(false);
    const token = await service.token('read:pets', { subject: id });
    const put = async (phone: string) =>
      (await service.request<{ phone?: string }>('PUT', `/v1/users/${id}`, { token, body: { phone } })).json;
    expect([(await put('555-0100')).phone, (await put('')).phone]).toEqual(['555-0100', '555-0100']);
  });

  it.each([`${'x'.repeat(64)}@example.com`, `${'é'.repeat(32)}@example.com`, 'a.b+c@example.com'])(
    'has the email address %s, also beside an invalid field',
    async (email) => {
      const { status, json } = await service.request<Problem>('POST', '/v1/users', { body: newUser({ email, phone: '1' }) });
      expect([status, json.errors.map(({ field }) => field)]).toEqual([422, ['phone']]);
    },
  );

  it('names every name that another account uses', async () => {
    const { username, email } = await create();
    const { status, json } = await service.request<Problem>('POST', '/v1/users', { body: newUser({ username, email }) });
    expect([status, json.errors.map(({ field }) => field)]).toEqual([409, ['username', 'email']]);
  });

  it('loses the optional values for which a change has null', async () => {
    const user = await create({ lastName: 'Lee', phone: '+14155550123' });
    const path = `/v1/users/${user.id}`;
    const change = async (body: object) => service.request<User>('PUT', path, { body, token: await tokenOf(user) });
    const { status, json, headers } = await change({ phone: null, lastName: null });
    const { phone, lastName, ...rest } = user;
    expect([status, json, typeof phone, typeof lastName]).toEqual([200, { ...rest, updatedAt: json.updatedAt }, 'string', 'string']);
    expect((await service.request<User>('GET', path)).json).toEqual(json);
    expect((await change({ phone: null })).headers.etag).toBe(headers.etag);
    for (const field of ['username', 'email', 'password']) expect((await change({ [field]: null })).headers.etag).toBe(headers.etag);
    const added = await service.request<User>('POST', '/v1/users', { body: newUser({ phone: null }) });
    expect([added.status, 'phone' in added.json]).toEqual([201, false]);
  });

  it('changes only in the fields that are sent', async () => {
    const user = await create({ phone: '+14155550123' });
    const options = { body: { lastName: 'Lee' }, token: await tokenOf(user) };
    const { status, json } = await service.request<User>('PUT', `/v1/users/${user.id}`, options);
    expect([status, json]).toEqual([200, { ...user, lastName: 'Lee', updatedAt: json.updatedAt }]);
    expect((await service.request<User>('GET', `/v1/users/${user.id}`)).json).toEqual(json);
  });

  it('keeps its ETag when a change changes nothing', async () => {
    const user = await create();
    const before = await service.request<User>('GET', `/v1/users/${user.id}`);
    const options = { body: { firstName: user.firstName, username: user.username }, token: await tokenOf(user) };
    expect((await service.request('PUT', `/v1/users/${user.id}`, options)).headers.etag).toBe(before.headers.etag);
  });

  it('is not changed if If-Match names another revision', async () => {
    const user = await create();
    const [token, { headers }] = [await tokenOf(user), await service.request('GET', `/v1/users/${user.id}`)];
    const change = (lastName: string, etag = '') =>
      service.request('PUT', `/v1/users/${user.id}`, { body: { lastName }, token, headers: { 'if-match': etag } });
    expect((await change('Lee', headers.etag)).status).toBe(200);
    expectProblem(await change('Kim', headers.etag), 412, 'precondition-failed');
  });

  it('is 404 for everyone after it was deleted', async () => {
    const user = await create();
    const path = `/v1/users/${user.id}`;
    const [own, operator] = [await tokenOf(user), await service.token('ops')];
    expect((await service.request<User>('GET', '/v1/users/me', { token: own })).json).toEqual(user);
    expect((await service.request('PUT', path, { body: { lastName: 'Kim' }, token: operator })).status).toBe(200);
    expect((await service.request('DELETE', path, { token: own })).status).toBe(204);
    expectProblem(await service.request('GET', path), 404, 'not-found');
    expectProblem(await service.request('DELETE', path, { token: operator }), 404, 'not-found');
    expectProblem(await service.request('GET', '/v1/users/me', { token: own }), 404, 'not-found');
  });

  it('is in the list of its tenant, which only operators can read', async () => {
    const tenant = randomUUID();
    const [first, second] = [await create({}, { tenant }), await create({}, { tenant })];
    const { json } = await service.request<Page<User>>('GET', '/v1/users', { tenant, token: await service.token('ops') });
    expect([json.data, json.pagination.totalItems]).toEqual([[second, first], 2]);
    expectProblem(await service.request('GET', '/v1/users', { tenant, token: await tokenOf(first) }), 403, 'forbidden');
  });
});

/** Proves contract 30.5. */
describe('an id that no account has', () => {
  it.each(['0', 'ann', '%F0%9F%90%95', randomUUID()])('is 404: %s', async (id) => {
    const token = await service.token('ops');
    expectProblem(await service.request('GET', `/v1/users/${id}`), 404, 'not-found');
    expectProblem(await service.request('PUT', `/v1/users/${id}`, { body: {}, token }), 404, 'not-found');
    expectProblem(await service.request('DELETE', `/v1/users/${id}`, { token }), 404, 'not-found');
  });
});

/** Proves contract 30.2 and contract 30.6. */
describe('the names of an account', () => {
  const conflict = async (body: object, field: string, tenant?: string) => {
    expectProblem(await service.request('POST', '/v1/users', { body, tenant }), 409, 'conflict', { [field]: 'not_unique' });
  };

  it('are unique, however they are written', async () => {
    const { username, email } = await create();
    await conflict(newUser({ username: username.toUpperCase() }), 'username');
    await conflict(newUser({ username: username.replace('ann', 'ａnn') }), 'username');
    await conflict(newUser({ email: email.toUpperCase() }), 'email');
  });

  it('are unique in one tenant only', async () => {
    const { username, email } = await create();
    expect((await create({ username, email }, { tenant: randomUUID() })).username).toBe(username);
  });

  it('are taken by exactly one of 50 concurrent registrations', async () => {
    const [username, email] = [`eve-${randomUUID().slice(0, 8)}`, () => `${randomUUID()}@example.com`];
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => service.request('POST', '/v1/users', { body: newUser({ username, email: email() }) })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 49 }, () => 409)]);
  });

  it('stay free for others while a request fails again and again, because its other name is taken', async () => {
    const [taken, user, other] = [await create(), await create(), await create()];
    const name = `eve-${randomUUID().slice(0, 8)}`;
    const failing = { body: { username: name, email: taken.email }, token: await tokenOf(user) };
    const renaming = { body: { username: name }, token: await tokenOf(other) };
    const [renamed, ...failed] = await Promise.all([
      service.request('PUT', `/v1/users/${other.id}`, renaming),
      ...Array.from({ length: 20 }, () => service.request('PUT', `/v1/users/${user.id}`, failing)),
    ]);
    expect([renamed.status, new Set(failed.map(({ status }) => status))]).toEqual([200, new Set([409])]);
  });

  it('can be used again after their account has changed them', async () => {
    const user = await create();
    const renamed = `bob-${randomUUID().slice(0, 8)}`;
    const options = { body: { username: renamed }, token: await tokenOf(user) };
    expect((await service.request<User>('PUT', `/v1/users/${user.id}`, options)).json.username).toBe(renamed);
    await conflict(newUser({ username: renamed }), 'username');
    expect((await create({ username: user.username })).username).toBe(user.username);
  });

  it('can be used again after their account was deleted', async () => {
    const user = await create();
    expect((await service.request('DELETE', `/v1/users/${user.id}`, { token: await tokenOf(user) })).status).toBe(204);
    expect((await create({ username: user.username, email: user.email })).email).toBe(user.email);
  });

  it('cannot be changed to those of another account', async () => {
    const [user, other] = [await create(), await create()];
    const options = { body: { email: other.email }, token: await tokenOf(user) };
    expectProblem(await service.request('PUT', `/v1/users/${user.id}`, options), 409, 'conflict', { email: 'not_unique' });
    expect((await service.request<User>('GET', `/v1/users/${user.id}`)).json).toEqual(user);
  });
});
