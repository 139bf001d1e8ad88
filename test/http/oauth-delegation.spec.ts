import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '../../apps/api/operations.js';
import type { SessionCollection } from '../../apps/api/sign-in/session.dto.js';
import type { User } from '../../apps/api/users/user.dto.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { addClient, authorize, createPerson, discover, PASSWORD } from './oauth-people.js';

let store: TestPetstore;
let user: User;
beforeAll(async () => {
  store = await startTestPetstore();
  user = await createPerson(store);
});
afterAll(() => store.stop());

const tokenOfClient = async (scope: string, { username } = user): Promise<string> =>
  (await authorize(store, await discover(store, await addClient(store)), username, { scope })).access_token;

/** Operations on a user's account that an OAuth client may use: they change nothing, or end only the client's own access. */
const PERMITTED = ['endCurrentToken', 'getCurrentUser', 'getUserById'];

/** Proves contract 5.8. */
describe('a client to which a person gave access', () => {
  it('cannot take the account over: neither change nor erase it, nor see or end its sessions', async () => {
    const token = await tokenOfClient('openid profile email read:pets chat:write');
    const { token: own } = (
      await store.request<{ token: string }>('POST', '/v1/auth/tokens', { body: { username: user.username, password: PASSWORD } })
    ).json;
    const [session] = (await store.request<SessionCollection>('GET', '/v1/auth/sessions', { token: own })).json.data;
    for (const [method, path, body] of [
      ['PUT', `/v1/users/${user.id}`, { password: 'another horse battery' }],
      ['PUT', `/v1/users/${user.id}`, { email: 'eve@example.com' }],
      ['DELETE', `/v1/users/${user.id}`, undefined],
      ['GET', '/v1/auth/sessions', undefined],
      ['DELETE', `/v1/auth/sessions/${session?.id}`, undefined],
    ] as const) {
      const { status, json } = await store.request<{ detail: string }>(method, path, { token, ...(body && { body }) });
      expect([method, path, status, json.detail]).toEqual([method, path, 403, expect.stringContaining('OAuth clients cannot use this')]);
    }
    for (const accepted of [token, own]) expect((await store.request('GET', '/v1/users/me', { token: accepted })).json).toEqual(user);
  });

  it('applies for a pet and gets no manageToken, which would outlive its access (contract 36.7)', async () => {
    const pet = { name: 'Rex', species: 'DOG', ageMonths: 3 };
    const { id: petId } = (await store.request<{ id: string }>('POST', '/v1/pets', { token: await store.token('write:pets'), body: pet }))
      .json;
    const token = await tokenOfClient('openid read:pets');
    const { status, json } = await store.request<{ id: string }>('POST', '/v1/adoptions', { token, body: { petId } });
    expect([status, json]).toEqual([201, expect.not.objectContaining({ manageToken: expect.anything() as unknown })]);
    const { token: own } = (
      await store.request<{ token: string }>('POST', '/v1/auth/tokens', { body: { username: user.username, password: PASSWORD } })
    ).json;
    expect((await store.request('POST', `/v1/adoptions/${json.id}/withdrawal`, { token: own })).status).toBe(200);
  });

  it('may change the account if the person is an operator and gave it the scope ops', async () => {
    const staff = await createPerson(store);
    await store.request('PUT', `/v1/ops/users/${staff.id}/staff`, { token: await store.token('ops') });
    const change = async (scope: string) => {
      const token = await tokenOfClient(scope, staff);
      return (await store.request('PUT', `/v1/users/${staff.id}`, { token, body: { firstName: 'Ann' } })).status;
    };
    expect([await change('openid write:pets write:orders audit:read'), await change('openid ops')]).toEqual([403, 200]);
  });

  it('is denied every operation on the account of the person, except those that read it or end the access of the client', () => {
    const ofAccount = Object.values(OPERATIONS).filter(({ access }) => access.strict === 'account' || access.strict === 'subject');
    expect(
      ofAccount
        .filter(({ notForClients }) => !notForClients)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(PERMITTED);
  });
});
