import { afterEach, describe, expect, it } from '@jest/globals';
import type { KeyView } from '../../libs/application/keys/service-keys.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import type { SecurityEventData } from '../../libs/domain/security/security.decider.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms, type ProgramResult } from '../servers/program.js';

const REJECTED = 2;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

const parse = <T>({ code, stdout, stderr }: ProgramResult): T => {
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
};
const listKeys = async (dataDir: string): Promise<readonly KeyView[]> =>
  parse<readonly KeyView[]>(await runPetstore(['keys', 'list', '--json'], { dataDir }));
const rotate = async (dataDir: string): Promise<KeyView> =>
  parse<KeyView>(await runPetstore(['keys', 'rotate', '--now', '--json'], { dataDir }));
const kids = (keys: readonly KeyView[]): readonly string[] => keys.filter(({ kind }) => kind === 'token-signing').map(({ id }) => id);
/** Returns the operations on keys that a stopped service has recorded as security events. */
const keyChanges = async (directory: string): Promise<readonly string[]> => {
  const store = await openEmbeddedStore({ directory, log: createLog('silent') });
  try {
    const events = (await store.store.readAll(0, 1_000)).map(({ data }) => JSON.parse(data) as Partial<SecurityEventData>);
    return events.flatMap(({ kind, operation = '' }) => (kind === 'key-change' ? [operation] : []));
  } finally {
    await store.close();
  }
};

/** Proves contract 31.2, contract 31.3 and contract 31.5. */
describe('petstore keys', () => {
  it('lists and rotates the keys of a running service, which accepts old and new tokens', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir });
    const before = await tokenFor(dataDir, 'ops');
    const [first] = kids(await listKeys(dataDir));
    const { id, status } = await rotate(dataDir);
    const after = await tokenFor(dataDir, 'ops');
    expect([kids(await listKeys(dataDir)), status]).toEqual([[id, first], 'current']);
    for (const token of [before, after]) expect((await caller(service.url, token)('GET', '/v1/inventories')).status).toBe(200);
  });

  it('lists and rotates the keys of a stopped service, and a backup and its restore contain all of them', async () => {
    const [dataDir, backup, restored] = [newFolder(), newFolder(), newFolder()];
    await runPetstore(['seed', '--pets', '1'], { dataDir });
    const before = await tokenFor(dataDir, 'ops');
    const second = await rotate(dataDir);
    const between = await tokenFor(dataDir, 'ops');
    await rotate(dataDir);
    const keys = await listKeys(dataDir);
    expect([kids(keys).length, kids(keys)[1]]).toEqual([3, second.id]);
    expect((await runPetstore(['backup', backup], { dataDir })).code).toBe(0);
    expect((await runPetstore(['restore', backup], { dataDir: restored })).code).toBe(0);
    expect(await listKeys(restored)).toEqual(keys);
    const service = await startServiceProcess({ dataDir: restored });
    const after = await tokenFor(dataDir, 'ops');
    for (const token of [before, between, after]) expect((await caller(service.url, token)('GET', '/v1/inventories')).status).toBe(200);
  });

  it('removes a former key of a running and of a stopped service, whose tokens it refuses from then on', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir });
    const remove = (id: string) => runPetstore(['keys', 'remove', '--json', '--', id], { dataDir });
    const first = await tokenFor(dataDir, 'ops');
    const { id } = await rotate(dataDir);
    const second = await tokenFor(dataDir, 'ops');
    const [, former = ''] = kids(await listKeys(dataDir));
    expect(parse(await remove(former))).toEqual({ id: former });
    const statuses = (url: string) =>
      Promise.all([first, second].map(async (token) => (await caller(url, token)('GET', '/v1/inventories')).status));
    expect(await statuses(service.url)).toEqual([401, 200]);
    const refused = await remove(id);
    expect([refused.code, refused.stderr]).toEqual([REJECTED, expect.stringContaining('rotate the keys first')]);
    await service.stop();
    await rotate(dataDir);
    expect(parse(await remove(id))).toEqual({ id });
    const again = await startServiceProcess({ dataDir });
    expect([await statuses(again.url), kids(await listKeys(dataDir)).length]).toEqual([[401, 401], 1]);
    await again.stop();
    expect(await keyChanges(dataDir)).toEqual(['rotateSigningKey', 'removeSigningKey', 'rotateSigningKey', 'removeSigningKey']);
  });

  it('prints a table for people, without secrets', async () => {
    const dataDir = newFolder();
    await runPetstore(['seed', '--pets', '1'], { dataDir });
    const { stdout } = await runPetstore(['keys', 'list'], { dataDir });
    expect(stdout).toMatch(/^ID +KIND +STATUS +CREATED\n[\w-]{43} +token-signing +current +\d{4}-/);
    expect((await runPetstore(['keys', 'rotate', '--now'], { dataDir })).stdout).toMatch(
      /^Tokens are signed with the key [\w-]{43} from now on\.\n$/,
    );
    expect((await runPetstore(['keys', 'rotate'], { dataDir })).stdout).toMatch(
      /^The new key [\w-]{43} is announced\. Tokens are signed with it from \d{4}-[\d-]+T[\d:.]+Z on, or at once after "[^"]+ keys rotate --now"\.\n$/,
    );
    const again = await runPetstore(['keys', 'rotate'], { dataDir });
    expect([again.code, again.stderr]).toEqual([REJECTED, expect.stringContaining('announced already')]);
    expect((await runPetstore(['keys', 'list'], { dataDir })).stdout).toMatch(/[\w-]{43} +token-signing +announced, signs from \d{4}-/);
  });

  it('requires an existing store', async () => {
    const { code, stdout, stderr } = await runPetstore(['keys', 'rotate'], { dataDir: newFolder() });
    expect([code, stdout]).toEqual([REJECTED, '']);
    expect(stderr).toMatch('there is no store in');
  });
});
