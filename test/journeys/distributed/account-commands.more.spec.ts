import { DEADLINES } from '../../deadlines.js';
import { afterAll, expect, it } from '@jest/globals';
import type { OauthClient } from '../../../apps/api/clients/client.dto.js';
import type { Account } from '../../../apps/api/ops/users/account.dto.js';
import type { Session } from '../../../apps/api/sign-in/session.dto.js';
import { eventually } from '../../eventually.js';
import { caller } from '../../servers/calling.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { startApiOn } from '../../servers/cluster.js';
import { runPetstore } from '../../servers/process.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { startClusterIfAvailable } from './journey.js';

const NAME = 'petstore users, clients, keys and sessions on servers';
const found = await startClusterIfAvailable({ apis: 0, workers: ['projections,timers'] });

describeIfAvailable(NAME, found, (cluster) => {
  afterAll(async () => {
    await cluster.close();
    removeFolders();
  });

  const print = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runPetstore(args, { dataDir: newFolder(), env: cluster.settings });
    expect([args, code, stderr]).toEqual([args, 0, '']);
    return stdout;
  };
  const run = async <T>(...args: readonly string[]): Promise<T> => JSON.parse(await print(...args, '--json')) as T;
  /** Repeats a command until its output shows what the test needs, because read models lag behind. */
  const find = <T>(args: readonly string[], isFound: (value: T) => boolean): Promise<T> =>
    eventually(
      args.join(' '),
      async () => {
        const value = await run<T>(...args);
        return isFound(value) ? value : null;
      },
      DEADLINES.slow,
    );

  /** Adds a staff account with the commands, and an API that runs only meanwhile. The last staff account must remain. */
  const addStaff = async (username: string): Promise<void> => {
    const api = await startApiOn({ url: '', settings: cluster.settings });
    const body = { username, email: `${username}@example.com`, password: 'correct horse battery' };
    expect((await caller(api.url)('POST', '/v1/users', { body })).status).toBe(201);
    await api.close();
    expect(await run<Account>('users', 'grant', username)).toMatchObject({ staff: true });
  };

  /** Proves contract 30.8, contract 30.9, contract 31.3 and contract 32.4. */
  it('work while no API runs, and while one does, which notices every change', async () => {
    const { password } = await run<{ password: string }>('users', 'create-admin');
    await find<Account[]>(['users', 'list'], ([account]) => account?.username === 'admin' && account.staff);
    await addStaff('ann');
    expect(await run<Account>('users', 'disable', 'admin')).toMatchObject({ disabled: true });
    const { clientId } = JSON.parse(await print('clients', 'add', '--name', 'Kiosk', '--device')) as { clientId: string };
    const api = await startApiOn({ url: '', settings: cluster.settings });
    try {
      const signIn = (secret: string) => caller(api.url)('POST', '/v1/auth/tokens', { body: { username: 'admin', password: secret } });
      expect((await signIn(password)).status).toBe(401);
      expect(await run<Account>('users', 'enable', 'admin')).toMatchObject({ disabled: false });
      const { status, json } = await signIn(password);
      expect(status).toBe(201);
      const whoAmI = () => caller(api.url, String(json['token']))('GET', '/v1/users/me').then((response) => response.status);
      expect(await whoAmI()).toBe(200);
      const [session] = await run<Session[]>('sessions', 'list', 'admin');
      await run('sessions', 'end', session?.id ?? '');
      await eventually('the end of the session in the API', async () => (await whoAmI()) === 401);
      const changed = await run<{ password: string }>('users', 'password', 'admin');
      expect([(await signIn(password)).status, (await signIn(changed.password)).status]).toEqual([401, 201]);
      expect((await run<OauthClient[]>('clients', 'list')).map(({ id }) => id)).toEqual([clientId]);
      const rotated = await run<{ id: string }>('keys', 'rotate');
      expect((await run<{ id: string }[]>('keys', 'list'))[0]?.id).toBe(rotated.id);
      await print('clients', 'remove', clientId);
      expect(await run('clients', 'list')).toEqual([]);
      expect(await run<Account>('users', 'revoke', 'admin')).toMatchObject({ staff: false });
      expect(await run<Account>('users', 'grant', 'admin')).toMatchObject({ staff: true });
    } finally {
      await api.close();
    }
  });
});
