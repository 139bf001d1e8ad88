import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { projectionsCommand } from '../../apps/petstore/commands/projections.command.js';
import { start, type RunningStore } from '../../apps/petstore/start.js';
import { makeToken } from '../../apps/petstore/commands/token.command.js';
import { parseSettings, type Settings } from '../../libs/settings/settings.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startOwnStore } from '../servers/store.js';
import { openSharedPool } from './shop.js';

const PETS = 8;

/** A byte of a pet's row in the file, where its JSON begins and ends. */
type Damage = (file: Buffer, json: { readonly from: number; readonly to: number }) => void;

const change = (file: Buffer, at: number): void => void file.writeUInt8(file.readUInt8(at) ^ 1, at);
const within = (file: Buffer, text: string, from: number): number => {
  const at = file.indexOf(text, from);
  if (at < 0) throw new Error(`${text} is not in the file`);
  return at;
};

/** `isSeen` where every reader of the row sees it: SQLite takes keys and fields from an index, where there is one, as they were written. */
const DAMAGES: readonly { readonly name: string; readonly isSeen: boolean; readonly damage: Damage }[] = [
  { name: 'a letter of its name in the JSON', isSeen: true, damage: (file, { from }) => change(file, within(file, 'Pet 3', from)) },
  { name: 'a bracket of its JSON', isSeen: true, damage: (file, { to }) => change(file, to - 1) },
  { name: 'its status among the fields', isSeen: false, damage: (file, { to }) => change(file, within(file, 'AVAILABLE', to)) },
  { name: 'its tenant among the fields', isSeen: false, damage: (file, { to }) => change(file, within(file, 'shared', to)) },
  { name: 'its species among the fields', isSeen: false, damage: (file, { to }) => change(file, within(file, 'DOG', to)) },
  { name: 'its key', isSeen: false, damage: (file, { from }) => change(file, from - 1) },
];

const settingsOf = (dataDir: string): Settings => parseSettings({ PORT: '0', DATA_DIR: dataDir, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' });

describe('a read model of which one byte was changed', () => {
  let template: string;
  let ids: readonly string[];
  let token: string;
  let log = '';
  let running: RunningStore | undefined;

  beforeAll(async () => {
    jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    template = join(newFolder(), 'store');
    const own = await startOwnStore({ DATA_DIR: template });
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
    // Only the row of the read model has the key right before the JSON.
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
  const ask = async (url: string, path: string, asked: { readonly method?: string; readonly body?: object } = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { method = 'GET', body } = asked;
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const json = (await answer.json()) as { type?: string; data?: readonly { name: string }[]; name?: string };
    return { status: answer.status, kind: json.type?.split('/errors/')[1], names: json.data?.map(({ name }) => name), name: json.name };
  };
  const REFUSED = { status: 503, kind: 'temporarily-unavailable', names: undefined };

  it.each(DAMAGES)(
    'is served as it was or not at all, and is whole after a rebuild: $name',
    async ({ isSeen, damage }) => {
      const folder = damaged(damage);
      const [id, other] = [ids[3], ids[5]];
      const url = await open(folder);
      const expectTruth = async (whole: object, ...asked: Parameters<typeof ask>): Promise<void> => {
        const answer = await ask(...asked);
        if (isSeen || answer.status !== 200) expect(answer).toMatchObject(REFUSED);
        else expect(answer).toMatchObject(whole);
      };
      const names = (...numbers: readonly number[]) => ({ status: 200, names: numbers.map((number) => `Pet ${number}`) });
      await expectTruth({ name: 'Pet 3' }, url, `/v1/pets/${id}`);
      await expectTruth(names(7, 6, 5, 4, 3, 2, 1, 0), url, '/v1/pets');
      await expectTruth(names(7, 6, 5, 4, 3, 2, 1, 0), url, '/v1/pets?species=DOG&ageMin=0');
      await expectTruth(names(3, 2, 1, 0), url, '/v1/pets?limit=4&page=2');
      const body = { criteria: { species: ['DOG'] }, sort: { field: 'ageMonths', order: 'ASC' } };
      await expectTruth(names(0, 1, 2, 3, 4, 5, 6, 7), url, '/v1/pets', { method: 'QUERY', body });
      await expectTruth({ name: 'Pet 3' }, url, `/v1/pets/${id}`, {
        method: 'PUT',
        body: { name: 'Pet 3', species: 'DOG', ageMonths: 3, status: 'AVAILABLE', color: 'brown' },
      });
      if (isSeen)
        expect(log).toMatch(
          /the row .* of pets_v\d+ in petstore\.sqlite is damaged: stop the store and run `petstore projections rebuild`/,
        );
      // Everything else is served.
      expect(await ask(url, `/v1/pets/${other}`)).toMatchObject({ status: 200, name: 'Pet 5' });
      expect(await ask(url, '/v1/pets?limit=4')).toMatchObject(names(7, 6, 5, 4));
      expect(await ask(url, '/v1/orders', { method: 'POST', body: { petId: other } })).toMatchObject({ status: 201 });
      await running?.stop();
      running = undefined;

      await projectionsCommand(settingsOf(folder), false);
      const again = await open(folder);
      expect(await ask(again, `/v1/pets/${id}`)).toMatchObject({ status: 200, name: 'Pet 3' });
      expect(await ask(again, '/v1/pets')).toMatchObject(names(7, 6, 4, 3, 2, 1, 0));
      expect(await ask(again, '/v1/pets', { method: 'QUERY', body })).toMatchObject(names(0, 1, 2, 3, 4, 6, 7));
      expect(log).toBe('');
    },
    30_000,
  );
});
