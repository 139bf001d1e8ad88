import { afterEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../apps/api/ops/users/account.dto.js';
import { createFirstAdmin } from '../../apps/petstore/in-process/first-admin.js';
import { createEmbeddedApi } from '../../apps/petstore/start.js';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess } from '../servers/process.js';
import { endPrograms, type ProgramResult } from '../servers/program.js';

const PASSWORD = 'correct horse battery';
const REJECTED = 2;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

const parse = <T>({ code, stdout, stderr }: ProgramResult): T => {
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
};
const signIn = async (url: string, username: string, password: string) =>
  (await caller(url)('POST', '/v1/auth/tokens', { body: { username, password } })).status;

/** Proves contract 30.8 and contract 30.9. */
describe('petstore users and petstore sessions', () => {
  it('manage the accounts of a stopped service, which the service then has', async () => {
    const dataDir = newFolder();
    const run = <T>(...args: readonly string[]) => runPetstore([...args, '--json'], { dataDir }).then((result) => parse<T>(result));
    const { password } = await run<{ password: string }>('users', 'create-admin');
    expect((await run<Account[]>('users', 'list')).map(({ username, staff }) => [username, staff])).toEqual([['admin', true]]);
    // The last staff account must remain (contract 30.8), so `admin` can be disabled only after `ann` got the role.
    const last = await runPetstore(['users', 'disable', 'admin'], { dataDir });
    expect([last.code, last.stderr]).toEqual([REJECTED, expect.stringContaining('This is the last enabled staff account.')]);
    const registering = await startServiceProcess({ dataDir });
    const body = { username: 'ann', email: 'ann@example.com', password: PASSWORD };
    expect((await caller(registering.url)('POST', '/v1/users', { body })).status).toBe(201);
    await registering.stop();
    expect(await run<Account>('users', 'grant', 'ann')).toMatchObject({ staff: true });
    expect(await run<Account>('users', 'disable', 'admin')).toMatchObject({ disabled: true });
    expect(await run<Account>('users', 'enable', 'ADMIN')).toMatchObject({ disabled: false, staff: true });
    const service = await startServiceProcess({ dataDir });
    expect(await signIn(service.url, 'admin', password)).toBe(201);
    const [session] = await run<{ id: string }[]>('sessions', 'list', 'admin');
    expect(await run('sessions', 'end', session?.id ?? '')).toEqual({ id: session?.id });
    expect(await run('sessions', 'list', 'admin')).toEqual([]);
    const changed = await run<{ password: string }>('users', 'password', 'admin');
    expect([await signIn(service.url, 'admin', password), await signIn(service.url, 'admin', changed.password)]).toEqual([401, 201]);
    expect(await run<Account>('users', 'revoke', 'admin')).toMatchObject({ staff: false });
  });

  it('say what is wrong with an unknown account, an unknown session and a name in use', async () => {
    const dataDir = newFolder();
    await runPetstore(['users', 'create-admin'], { dataDir });
    // For names in use, each name has a line of its own.
    for (const [args, text, lines] of [
      [['users', 'show', 'nobody'], 'no account has the username nobody', 1],
      [['sessions', 'end', 'x'], 'x is not the id of a session', 1],
      [['users', 'create-admin'], 'Another account uses this username or email address', 3],
    ] as const) {
      const { code, stdout, stderr } = await runPetstore(args, { dataDir });
      expect([code, stdout, stderr.includes(text), stderr.trim().split('\n').length]).toEqual([REJECTED, '', true, lines]);
    }
  });
});

/** Proves contract 30.9. */
describe('the first staff account', () => {
  it('has the password of ADMIN_PASSWORD, which later starts do not change', async () => {
    const dataDir = newFolder();
    const first = await startServiceProcess({ dataDir, env: { ADMIN_PASSWORD: PASSWORD } });
    expect(await signIn(first.url, 'admin', PASSWORD)).toBe(201);
    await first.stop();
    const second = await startServiceProcess({ dataDir, env: { ADMIN_PASSWORD: 'another horse battery' } });
    expect([await signIn(second.url, 'admin', PASSWORD), await signIn(second.url, 'admin', 'another horse battery')]).toEqual([201, 401]);
    for (const { stdout, stderr } of [first, second].map((service) => ({ stdout: service.stdout(), stderr: service.stderr() })))
      expect(stdout + stderr).not.toContain('horse battery');
  });

  it('is not created without a password and a terminal, and one line of the log says how to create it', async () => {
    const service = await startServiceProcess({ dataDir: newFolder() });
    await service.stop();
    const lines = service
      .stderr()
      .split('\n')
      .filter((line) => line.includes('create-admin'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('or set ADMIN_PASSWORD');
  });

  it('is created once by many concurrent starts, and only one of them prints a password', async () => {
    const log = createLog('silent');
    const store = await openEmbeddedStore({ directory: ':memory:', log });
    const { app } = await createEmbeddedApi(parseSettings({ DATA_DIR: ':memory:', RATE_LIMIT: 'off' }), log, store);
    const start = () => createFirstAdmin(app, { password: undefined, isOnTerminal: true, program: 'petstore' }, log);
    const printed = (await Promise.all(Array.from({ length: 50 }, start))).filter((password) => password !== null);
    expect([printed.length, printed[0]?.length, await start()]).toEqual([1, 20, null]);
    await app.close();
    await store.close();
  });
});
