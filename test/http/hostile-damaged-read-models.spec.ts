import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { projectionsCommand } from '../../apps/petstore/commands/projections/rebuild.command.js';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { makeToken } from '../../apps/petstore/commands/token.command.js';
import { parseSettings, type Settings } from '../../libs/settings/settings.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startOwnPetstore } from '../servers/test-petstore.js';
import { openSharedPool } from './shop.js';

const PETS = 8;

/** Changes a byte of a pet's row in the file. `json` has the offsets of the row's JSON. */
type Damage = (file: Buffer, json: { readonly from: number; readonly to: number }) => void;

const change = (file: Buffer, at: number): void => void file.writeUInt8(file.readUInt8(at) ^ 1, at);
const within = (file: Buffer, text: string, from: number): number => {
  const at = file.indexOf(text, from);
  if (at < 0) throw new Error(`${text} is not in the file`);
  return at;
};

/**
 * If `isRead`, every request that needs the row reads the damaged byte. If not, the byte is in a key or an indexed field. SQLite
 * may read these from an index instead, which is undamaged.
 */
const DAMAGES: readonly { readonly name: string; readonly isRead: boolean; readonly damage: Damage }[] = [
  { name: 'a letter of the pet’s name in the JSON', isRead: true, damage: (file, { from }) => change(file, within(file, 'Pet 3', from)) },
  { name: 'a bracket of the pet’s JSON', isRead: true, damage: (file, { to }) => change(file, to - 1) },
  {
    name: 'the pet’s status among the indexed fields',
    isRead: false,
    damage: (file, { to }) => change(file, within(file, 'AVAILABLE', to)),
  },
  { name: 'the pet’s tenant among the indexed fields', isRead: false, damage: (file, { to }) => change(file, within(file, 'shared', to)) },
  { name: 'the pet’s species among the indexed fields', isRead: false, damage: (file, { to }) => change(file, within(file, 'DOG', to)) },
  { name: 'the pet’s key', isRead: false, damage: (file, { from }) => change(file, from - 1) },
];

const settingsOf = (dataDir: string): Settings => parseSettings({ PORT: '0', DATA_DIR: dataDir, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' });

/** Proves contract 23.1 and contract 24.3: a rebuild restores the read model from the log. */
describe('a read model with one changed byte', () => {
  let template: string;
  let ids: readonly string[];
  let token: string;
  let log = '';
  let running: RunningPetstore | undefined;

  beforeAll(async () => {
    jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    template = join(newFolder(), 'store');
    const own = await startOwnPetstore({ DATA_DIR: template });
    const shop = await openSharedPool(own);
    const made: string[] = [];
    for (let pet = 0; pet < PETS; pet++) made.push((await shop.listPet({ name: `Pet ${pet}`, ageMonths: pet })).id);
    ids = made;
    await own.stop();
    token = await makeToken(settingsOf(template), { scope: 'write:pets write:orders', subject: 'staff', expiresIn: 3_600 });
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  afterAll(() => {
    jest.restoreAllMocks();
    removeFolders();
  });

  const damaged = (damage: Damage): string => {
    const folder = join(newFolder(), 'damaged');
    cpSync(template, folder, { recursive: true });
    const path = join(folder, 'petstore.sqlite');
    const file = readFileSync(path);
    // The id occurs in several places of the file. Only in the row of the read model, the JSON directly follows it.
    const [id] = ids.slice(3);
    const from = within(file, `${id}{"id":"${id}"`, 0) + id.length;
    damage(file, { from, to: within(file, 'Z"}', from) + 3 });
    writeFileSync(path, file);
    return folder;
  };
  const open = async (folder: string): Promise<string> => {
    log = '';
    running = await start(settingsOf(folder), pino({ level: 'error' }, { write: (line: string) => void (log += line) }));
    return running.url;
  };
  const send = async (url: string, path: string, request: { readonly method?: string; readonly body?: object } = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { method = 'GET', body } = request;
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const json = (await response.json()) as { type?: string; data?: readonly { name: string }[]; name?: string };
    return { status: response.status, kind: json.type?.split('/errors/')[1], names: json.data?.map(({ name }) => name), name: json.name };
  };
  const UNAVAILABLE = { status: 503, kind: 'temporarily-unavailable', names: undefined };

  it.each(DAMAGES)('is served undamaged or not at all, and is whole after a rebuild: $name', async ({ isRead, damage }) => {
    const folder = damaged(damage);
    const [id, other] = [ids[3], ids[5]];
    const url = await open(folder);
    const expectUndamaged = async (whole: object, ...request: Parameters<typeof send>): Promise<void> => {
      const response = await send(...request);
      if (isRead || response.status !== 200) expect(response).toMatchObject(UNAVAILABLE);
      else expect(response).toMatchObject(whole);
    };
    const names = (...numbers: readonly number[]) => ({ status: 200, names: numbers.map((number) => `Pet ${number}`) });
    await expectUndamaged({ name: 'Pet 3' }, url, `/v1/pets/${id}`);
    await expectUndamaged(names(7, 6, 5, 4, 3, 2, 1, 0), url, '/v1/pets');
    await expectUndamaged(names(7, 6, 5, 4, 3, 2, 1, 0), url, '/v1/pets?species=DOG&ageMin=0');
    await expectUndamaged(names(3, 2, 1, 0), url, '/v1/pets?limit=4&page=2');
    const body = { criteria: { species: ['DOG'] }, sort: { field: 'ageMonths', order: 'ASC' } };
    await expectUndamaged(names(0, 1, 2, 3, 4, 5, 6, 7), url, '/v1/pets', { method: 'QUERY', body });
    await expectUndamaged({ name: 'Pet 3' }, url, `/v1/pets/${id}`, {
      method: 'PUT',
      body: { name: 'Pet 3', species: 'DOG', ageMonths: 3, status: 'AVAILABLE', color: 'brown' },
    });
    if (isRead)
      expect(log).toMatch(
        /the row .* of pets_v\d+ in petstore\.sqlite is damaged: stop the service and run `petstore projections rebuild`/,
      );
    // Requests that do not need the damaged row are served.
    expect(await send(url, `/v1/pets/${other}`)).toMatchObject({ status: 200, name: 'Pet 5' });
    expect(await send(url, '/v1/pets?limit=4')).toMatchObject(names(7, 6, 5, 4));
    expect(await send(url, '/v1/orders', { method: 'POST', body: { petId: other } })).toMatchObject({ status: 201 });
    await running?.stop();
    running = undefined;

    await projectionsCommand(settingsOf(folder), false);
    const again = await open(folder);
    expect(await send(again, `/v1/pets/${id}`)).toMatchObject({ status: 200, name: 'Pet 3' });
    expect(await send(again, '/v1/pets')).toMatchObject(names(7, 6, 4, 3, 2, 1, 0));
    expect(await send(again, '/v1/pets', { method: 'QUERY', body })).toMatchObject(names(0, 1, 2, 3, 4, 6, 7));
    expect(log).toBe('');
  });
});
