import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import type { Account } from '../../apps/api/ops/users/account.dto.js';
import { itOnOwnPetstore as it, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';

/** Proves contract 30.8. */
describe('the last enabled staff account', () => {
  let service: OwnPetstore;
  let last: string;
  beforeAll(async () => {
    service = await startOwnPetstore();
    last = await create();
  });
  afterAll(() => service.stop());

  const asOperator = async (method: string, path: string, options: object = {}) =>
    service.request<Account>(method, path, { token: await service.token('ops'), ...options });
  const usernameOf = async (id: string): Promise<string> => (await asOperator('GET', `/v1/users/${id}`)).json.username;
  const create = async (options: object = {}): Promise<string> => {
    const username = `ann-${randomUUID().slice(0, 8)}`;
    const body = { username, email: `${username}@example.com`, password: 'correct horse battery', staff: true };
    return (await asOperator('POST', '/v1/ops/users', { body, ...options })).json.id;
  };
  const disable = (id: string) => asOperator('PUT', `/v1/ops/users/${id}/disabled`);
  const enable = (id: string) => asOperator('DELETE', `/v1/ops/users/${id}/disabled`);

  beforeEach(async () => {
    expect((await enable(last)).status).toBe(204);
  });

  it('cannot be disabled or erased, nor lose its role', async () => {
    for (const [method, path] of [
      ['PUT', `/v1/ops/users/${last}/disabled`],
      ['DELETE', `/v1/ops/users/${last}/staff`],
      ['DELETE', `/v1/users/${last}`],
    ] as const)
      expectProblem(await asOperator(method, path), 409, 'conflict');
    const { status, json } = await asOperator('DELETE', `/api/v3/user/${await usernameOf(last)}`);
    expect([status, json]).toEqual([409, expect.objectContaining({ code: 409, type: 'conflict' })]);
    expect((await asOperator('GET', `/v1/ops/users/${last}`)).json).toMatchObject({ staff: true, disabled: false });
  });

  it('stays the last one while others are disabled or belong to a tenant', async () => {
    const other = await create();
    await create({ tenant: randomUUID() });
    expect((await disable(other)).status).toBe(204);
    expectProblem(await disable(last), 409, 'conflict');
    expect((await enable(other)).status).toBe(204);
    expect((await disable(last)).status).toBe(204);
    expectProblem(await disable(other), 409, 'conflict');
    expect((await enable(last)).status).toBe(204);
    expect((await asOperator('DELETE', `/v1/users/${other}`)).status).toBe(204);
  });

  it('of a tenant is no exception: operators of the shared pool remain', async () => {
    const tenant = randomUUID();
    const id = await create({ tenant });
    expect((await asOperator('DELETE', `/v1/users/${id}`, { tenant })).status).toBe(204);
  });

  it('remains if all are disabled at the same time', async () => {
    const ids = [last, ...(await Promise.all(Array.from({ length: 5 }, () => create())))];
    const statuses = await Promise.all(ids.map(async (id) => (await disable(id)).status));
    expect(statuses.toSorted()).toEqual([204, 204, 204, 204, 204, 409]);
  });
});
