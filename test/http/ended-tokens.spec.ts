import { afterAll, describe, expect } from '@jest/globals';
import type { AccessToken } from '../../apps/api/sign-in/sign-in.dto.js';
import type { User } from '../../apps/api/users/user.dto.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { itOnOwnPetstore as it, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';

const PASSWORD = 'correct horse battery';

/** The requests that end all tokens of an account, or the one that the request carries. */
const ENDS: Readonly<Record<string, (user: User, token: string) => readonly [method: string, path: string, options?: object]>> = {
  'signed out': (_, token) => ['DELETE', '/v1/auth/tokens/current', { token }],
  'got a new password': ({ id }, token) => ['PUT', `/v1/users/${id}`, { token, body: { password: 'another horse battery' } }],
  'was disabled': ({ id }) => ['PUT', `/v1/ops/users/${id}/disabled`],
  'was erased': ({ id }, token) => ['DELETE', `/v1/users/${id}`, { token }],
};

/** Proves contract 30.10. */
describe('a token of an account that', () => {
  afterAll(removeFolders);

  const statusOf = async (service: OwnPetstore, token: string): Promise<number> =>
    (await service.request('GET', '/v1/users/me', { token })).status;

  it('signed out, got a new password, was disabled or was erased is rejected after a restart, too', async () => {
    const DATA_DIR = newFolder();
    const service = await startOwnPetstore({ DATA_DIR });
    const operator = await service.token('ops');
    const signIn = async (username: string): Promise<readonly [User, string]> => {
      const user = await service.request<User>('POST', '/v1/users', {
        body: { username, email: `${username}@example.com`, password: PASSWORD },
      });
      const signedIn = await service.request<AccessToken>('POST', '/v1/auth/tokens', { body: { username, password: PASSWORD } });
      return [user.json, signedIn.json.token];
    };
    const [, valid] = await signIn('stays');
    const ended: Record<string, string> = {};
    for (const [nth, [name, end]] of Object.entries(ENDS).entries()) {
      const [user, token] = await signIn(`user-${nth}`);
      const [method, path, options] = end(user, token);
      expect((await service.request(method, path, { token: operator, ...options })).status).toBeLessThan(300);
      ended[name] = token;
    }
    await service.stop();
    const restarted = await startOwnPetstore({ DATA_DIR });
    for (const [name, token] of Object.entries(ended)) expect([name, await statusOf(restarted, token)]).toEqual([name, 401]);
    expect(await statusOf(restarted, valid)).toBe(200);
    await restarted.stop();
  });
});
