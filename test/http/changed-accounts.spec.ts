import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type * as oauth from 'openid-client';
import type { SessionCollection } from '../../apps/api/sign-in/session.dto.js';
import type { User } from '../../apps/api/users/user.dto.js';
import { itOnOwnPetstore as it, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { countingHasher } from './counting-hasher.js';
import { Browser } from './oauth-browser.js';
import { addClient, authorizationRequest, createPerson, discover, PASSWORD, signIn } from './oauth-people.js';
import { override } from '../../libs/eventsourcing/testing/override.js';

/** The service calls this function after it has read an account, and before it verifies the password. */
let beforeVerifying: () => Promise<unknown> = async () => undefined;
const hasher = countingHasher();
const passwords = override(hasher, {
  verify: (password: string, hash: string | null) => beforeVerifying().then(() => hasher.verify(password, hash)),
});

let service: OwnPetstore;
let config: oauth.Configuration;
let token: string;
beforeAll(async () => {
  service = await startOwnPetstore({}, { passwords });
  config = await discover(service, await addClient(service));
  token = await service.token('ops');
  // The accounts of the tests can lose the role of staff only while another one has it (contract 30.8).
  await createStaff();
});
afterAll(() => service.stop());

const createStaff = async (): Promise<User> => {
  const user = await createPerson(service);
  await service.request('PUT', `/v1/ops/users/${user.id}/staff`, { token });
  return user;
};
const sessionsOf = async ({ id }: User) =>
  (await service.request<SessionCollection>('GET', `/v1/ops/users/${id}/sessions`, { token })).json.data;

/** Changes that end the tokens of an account (contract 30.10). The account can sign in again after each of them. */
const CHANGES: Readonly<Record<string, (user: User) => Promise<unknown>>> = {
  'has a new password': ({ id }) =>
    service.request('PUT', `/v1/ops/users/${id}/password`, { token, body: { password: 'another horse battery' } }),
  'was disabled and enabled again': async ({ id }) => {
    await service.request('PUT', `/v1/ops/users/${id}/disabled`, { token });
    await service.request('DELETE', `/v1/ops/users/${id}/disabled`, { token });
  },
  'is no longer staff': ({ id }) => service.request('DELETE', `/v1/ops/users/${id}/staff`, { token }),
};

/** Proves contract 30.10. */
describe.each(Object.entries(CHANGES))('an account that %s between two steps of a sign-in', (_, change) => {
  it('gives no client access: the grant would outlive the record of the change', async () => {
    const user = await createStaff();
    const browser = new Browser(service.url);
    const consent = await signIn(service, (await authorizationRequest(config)).url, user.username, browser);
    await change(user);
    const { status, url, html } = await browser.submit(consent, { action: 'allow' });
    expect([status, new URL(url).origin, html]).toEqual([400, service.url, expect.stringContaining('The sign-in has expired')]);
    expect(await sessionsOf(user)).toEqual([]);
  });

  it('gets no token if the change happens while the password is verified', async () => {
    const user = await createStaff();
    beforeVerifying = async () => {
      beforeVerifying = async () => undefined;
      await change(user);
    };
    const { status } = await service.request('POST', '/v1/auth/tokens', { body: { username: user.username, password: PASSWORD } });
    expect([status, await sessionsOf(user)]).toEqual([401, []]);
  });
});
