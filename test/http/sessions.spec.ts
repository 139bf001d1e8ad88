import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../apps/api/ops/users/account.dto.js';
import type { SessionCollection } from '../../apps/api/sign-in/session.dto.js';
import type { AccessToken } from '../../apps/api/sign-in/sign-in.dto.js';
import type { User } from '../../apps/api/users/user.dto.js';
import { eventually } from '../eventually.js';
import { startServiceWithTwoApis, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';

let service: TestPetstore;
let other: TestPetstore;
beforeAll(async () => {
  [service, other] = await startServiceWithTwoApis();
  // The accounts of the tests can lose the role of staff only while another one has it (contract 30.8).
  await asOperator('PUT', `/v1/ops/users/${(await createUser()).id}/staff`);
});
afterAll(async () => {
  if (other !== service) await other.stop();
  await service.stop();
});

/** The expected error if another account has the username. */
const TAKEN = { username: ['not_unique'] };
const PASSWORD = 'correct horse battery';

type SignedIn = { readonly user: User; readonly token: string };

const createUser = async (tenant?: string): Promise<User> => {
  const username = `ann-${randomUUID().slice(0, 8)}`;
  const body = { username, email: `${username}@example.com`, password: PASSWORD };
  return (await service.request<User>('POST', '/v1/users', { body, ...(tenant !== undefined && { tenant }) })).json;
};
const signIn = async (username: string, password = PASSWORD, tenant?: string): Promise<string> => {
  const answer = await service.request<AccessToken>('POST', '/v1/auth/tokens', {
    body: { username, password },
    ...(tenant !== undefined && { tenant }),
  });
  expect(answer.status).toBe(201);
  return answer.json.token;
};
const newAccount = async (): Promise<SignedIn> => {
  const user = await createUser();
  return { user, token: await signIn(user.username) };
};
const sessionsOf = async (token: string) => (await service.request<SessionCollection>('GET', '/v1/auth/sessions', { token })).json.data;
const asOperator = async (method: string, path: string, options: object = {}) =>
  service.request<Account>(method, path, { token: await service.token('ops'), ...options });

/** Expects that both processes reject an ended token: `service`, which ended it, at once, and `other` after up to a second. */
const expectEnded = async (token: string): Promise<void> => {
  expectProblem(await service.request('GET', '/v1/users/me', { token }), 401, 'unauthorized');
  await eventually(
    'the other process rejects the token',
    async () => (await other.request('GET', '/v1/users/me', { token })).status === 401,
  );
};
const expectValid = async (token: string): Promise<void> => {
  for (const api of [service, other]) expect((await api.request('GET', '/v1/users/me', { token })).status).toBe(200);
};

/** Proves contract 30.10. Proves rows of contract 42.21. */
describe('the sessions of an account', () => {
  it('are its sign-ins; the session of the token is marked as the current one', async () => {
    const { user, token } = await newAccount();
    const second = await signIn(user.username);
    const sessions = await sessionsOf(second);
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    expect(sessions.find(({ current }) => current)?.id).not.toBe((await sessionsOf(token)).find(({ current }) => current)?.id);
    expect(sessions[0]?.scopes).toEqual(['read:pets', 'chat:write']);
  });

  it('end one at a time: a sign-out ends only the session of its token', async () => {
    const { user, token } = await newAccount();
    const second = await signIn(user.username);
    await expectValid(token);
    expect((await service.request('DELETE', '/v1/auth/tokens/current', { token })).status).toBe(204);
    await expectEnded(token);
    await expectValid(second);
    expect(await sessionsOf(second)).toHaveLength(1);
  });

  it('can each be ended from another session of the account', async () => {
    const { user, token } = await newAccount();
    const second = await signIn(user.username);
    const [first] = (await sessionsOf(second)).filter(({ current }) => !current);
    expect((await service.request('DELETE', `/v1/auth/sessions/${first?.id}`, { token: second })).status).toBe(204);
    await expectEnded(token);
    expectProblem(await service.request('DELETE', `/v1/auth/sessions/${first?.id}`, { token: second }), 404, 'not-found');
  });

  it('cannot be ended by another account', async () => {
    const [ann, bob] = [await newAccount(), await newAccount()];
    const [session] = await sessionsOf(ann.token);
    expectProblem(await service.request('DELETE', `/v1/auth/sessions/${session?.id}`, { token: bob.token }), 404, 'not-found');
    await expectValid(ann.token);
  });

  it('do not exist for a token that an operator made, and a sign-out with that token gets 409', async () => {
    const token = await service.token('ops');
    expect(await sessionsOf(token)).toEqual([]);
    expectProblem(await service.request('DELETE', '/v1/auth/tokens/current', { token }), 409, 'conflict');
  });

  it('end with a sign-out whose X-Tenant-ID names a tenant, although the account is in the shared pool', async () => {
    const { token } = await newAccount();
    expect((await service.request('DELETE', '/v1/auth/tokens/current', { token, tenant: randomUUID() })).status).toBe(204);
    await expectEnded(token);
  });

  it('all end when the password changes, and later sign-ins work', async () => {
    const { user, token } = await newAccount();
    const second = await signIn(user.username);
    const change = { token, body: { password: 'another horse battery' } };
    expect((await service.request('PUT', `/v1/users/${user.id}`, change)).status).toBe(200);
    await expectEnded(token);
    await expectEnded(second);
    const third = await signIn(user.username, 'another horse battery');
    await expectValid(third);
    expect(await sessionsOf(third)).toHaveLength(1);
  });

  it('continue after a change of the profile', async () => {
    const { user, token } = await newAccount();
    expect((await service.request('PUT', `/v1/users/${user.id}`, { token, body: { firstName: 'Ann' } })).status).toBe(200);
    await expectValid(token);
  });

  it('all end with the erasure of the account', async () => {
    const { user, token } = await newAccount();
    expect((await service.request('DELETE', `/v1/users/${user.id}`, { token })).status).toBe(204);
    await expectEnded(token);
  });
});

/** Proves contract 30.8. */
describe('the account status', () => {
  it('staff gives the tokens of later sign-ins all scopes; its revocation ends these tokens', async () => {
    const { user, token } = await newAccount();
    expect((await asOperator('PUT', `/v1/ops/users/${user.id}/staff`)).status).toBe(204);
    expectProblem(await service.request('GET', '/v1/ops/users', { token }), 403, 'forbidden');
    const staff = await signIn(user.username);
    expect((await service.request<Account>('GET', `/v1/ops/users/${user.id}`, { token: staff })).json).toMatchObject({ staff: true });
    expect((await asOperator('DELETE', `/v1/ops/users/${user.id}/staff`)).status).toBe(204);
    await expectEnded(staff);
    expectProblem(await service.request('GET', '/v1/ops/users', { token: await signIn(user.username) }), 403, 'forbidden');
  });

  it('disabled ends the tokens of the account, which cannot sign in until it is enabled', async () => {
    const { user, token } = await newAccount();
    const credentials = { body: { username: user.username, password: PASSWORD } };
    expect((await asOperator('PUT', `/v1/ops/users/${user.id}/disabled`)).status).toBe(204);
    await expectEnded(token);
    expectProblem(await service.request('POST', '/v1/auth/tokens', credentials), 401, 'unauthorized');
    expect((await asOperator('GET', `/v1/ops/users/${user.id}`)).json).toMatchObject({ disabled: true, staff: false });
    expect((await asOperator('DELETE', `/v1/ops/users/${user.id}/disabled`)).status).toBe(204);
    await expectValid(await signIn(user.username));
    await expectEnded(token);
  });

  it('does not change when a change is repeated', async () => {
    const user = await createUser();
    const path = `/v1/ops/users/${user.id}/staff`;
    for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE']) expect((await asOperator(method, path)).status).toBe(204);
  });

  it('is 404 for an id that no account of the tenant has', async () => {
    const { id } = await createUser();
    for (const [method, switched] of [
      ['PUT', 'staff'],
      ['DELETE', 'staff'],
      ['PUT', 'disabled'],
      ['DELETE', 'disabled'],
    ] as const)
      expectProblem(await asOperator(method, `/v1/ops/users/${id}/${switched}`, { tenant: randomUUID() }), 404, 'not-found');
  });
});

/** Proves contract 30.8 and contract 30.9. */
describe('an operator', () => {
  it('sets the password of an account, which ends its tokens', async () => {
    const { user, token } = await newAccount();
    const body = { password: 'another horse battery' };
    expect((await asOperator('PUT', `/v1/ops/users/${user.id}/password`, { body })).status).toBe(204);
    await expectEnded(token);
    await expectValid(await signIn(user.username, body.password));
  });

  it('finds an account by its username, however it is written', async () => {
    const user = await createUser();
    const found = await service.request<{ data: Account[] }>('GET', `/v1/ops/users?username=${user.username.toUpperCase()}`, {
      token: await service.token('ops'),
    });
    expect(found.json.data).toEqual([{ ...user, staff: false, disabled: false }]);
  });

  it('lists and ends the sessions of an account', async () => {
    const { user, token } = await newAccount();
    const operator = await service.token('ops');
    const path = `/v1/ops/users/${user.id}/sessions`;
    const [session] = (await service.request<SessionCollection>('GET', path, { token: operator })).json.data;
    expect(session).toMatchObject({ current: false });
    expectProblem(await service.request('GET', path, { token: operator, tenant: randomUUID() }), 404, 'not-found');
    const end = `/v1/ops/sessions/${session?.id}`;
    expectProblem(await service.request('DELETE', end, { token: operator, tenant: randomUUID() }), 404, 'not-found');
    expect((await service.request('DELETE', end, { token: operator })).status).toBe(204);
    await expectEnded(token);
  });

  it('alone can create the account admin, and make it staff at once', async () => {
    const tenant = randomUUID();
    const body = { username: 'admin', email: 'admin@example.com', password: PASSWORD };
    const refused = await service.request('POST', '/v1/users', { tenant, body: { ...body, username: 'Ａｄｍｉｎ' } });
    expectProblem(refused, 409, 'conflict', TAKEN);
    const created = await asOperator('POST', '/v1/ops/users', { tenant, body: { ...body, staff: true } });
    expect([created.status, created.json.staff, created.json.username]).toEqual([201, true, 'admin']);
    const second = await asOperator('POST', '/v1/ops/users', { tenant, body: { ...body, email: 'second@example.com' } });
    expectProblem(second, 409, 'conflict', TAKEN);
    const change = { tenant, body: { firstName: 'Ann' }, headers: { 'if-match': created.headers.etag ?? '' } };
    expect((await asOperator('PUT', `/v1/users/${created.json.id}`, change)).status).toBe(200);
    const token = await signIn('admin', PASSWORD, tenant);
    expect((await service.request('GET', '/v1/ops/users', { token })).status).toBe(200);
    expectProblem(await service.request('GET', '/v1/ops/users', { token, tenant: randomUUID() }), 403, 'forbidden');
    const reserved = await service.request('POST', '/v1/users', { tenant: randomUUID(), body: { ...body, email: 'x@example.com' } });
    expectProblem(reserved, 409, 'conflict', TAKEN);
    const both = await service.request('POST', '/v1/users', { tenant, body });
    expectProblem(both, 409, 'conflict', { ...TAKEN, email: 'not_unique' });
    const user = await createUser(tenant);
    const rename = { token: await signIn(user.username, PASSWORD, tenant), body: { username: 'ADMIN' } };
    expectProblem(await service.request('PUT', `/v1/users/${user.id}`, rename), 409, 'conflict', TAKEN);
  });

  it('can give an account without staff the username admin, and staff without the scope ops cannot', async () => {
    const tenant = randomUUID();
    const user = await createUser(tenant);
    const rename = { body: { username: 'admin' } };
    const token = await signIn(user.username, PASSWORD, tenant);
    await asOperator('PUT', `/v1/ops/users/${user.id}/staff`, { tenant });
    expectProblem(await service.request('PUT', `/v1/users/${user.id}`, { ...rename, token }), 409, 'conflict', TAKEN);
    await asOperator('DELETE', `/v1/ops/users/${user.id}/staff`, { tenant });
    expect((await asOperator('PUT', `/v1/users/${user.id}`, { ...rename, tenant })).status).toBe(200);
  });

  it('get 422 if they repeat an Idempotency-Key with another body or role', async () => {
    const [tenant, idempotencyKey] = [randomUUID(), randomUUID()];
    const name = `ann-${randomUUID().slice(0, 8)}`;
    const body = { username: name, email: `${name}@example.com`, password: PASSWORD };
    const add = (fields: object) => asOperator('POST', '/v1/ops/users', { tenant, idempotencyKey, body: { ...body, ...fields } });
    expect([(await add({ staff: true })).status, (await add({ staff: true })).headers['idempotent-replayed']]).toEqual([201, 'true']);
    for (const fields of [{ staff: false }, {}, { staff: true, firstName: 'Ann' }])
      expectProblem(await add(fields), 422, 'idempotency-key-reused', { 'Idempotency-Key': 'mismatch' });
    // The key belongs to the operation (contract 9.4).
    const elsewhere = await asOperator('POST', '/v1/users', { tenant, idempotencyKey, body });
    expectProblem(elsewhere, 409, 'conflict', { ...TAKEN, email: 'not_unique' });
  });
});
