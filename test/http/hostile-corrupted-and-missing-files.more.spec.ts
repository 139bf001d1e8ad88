import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { backupCommand, restoreCommand } from '../../apps/petstore/commands/backup.command.js';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { CommandError } from '../../apps/petstore/errors/command-error.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { projectionsCommand } from '../../apps/petstore/commands/projections/rebuild.command.js';
import { seedCommand } from '../../apps/petstore/commands/seed.command.js';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { makeToken } from '../../apps/petstore/commands/token.command.js';
import { FolderRefused } from '../../libs/adapters/sqlite/index.js';
import { parseSettings, type Settings } from '../../libs/settings/settings.js';
import { openInProcessStore } from '../journeys/in-process-petstore.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { ROOT, runProgram } from '../servers/program.js';
import { itOnOwnPetstore, startOwnPetstore } from '../servers/test-petstore.js';
import { openSharedPool } from './shop.js';

const FILES = ['petstore.sqlite', 'keys.sqlite', 'gateway.sqlite'] as const;
const SEED = 20_261_122;
const KEY = { 'idempotency-key': 'the-same-key' };
const PET = { name: 'Once', species: 'CAT', ageMonths: 7 };
const JSON_TYPE = { 'content-type': 'application/json' };
/** The remedies that error messages name. */
const REMEDY = /petstore restore|another backup|empty the folder/i;

type RecordedResponse = { readonly path: string; readonly text: string };

const settingsOf = (dataDir: string): Settings =>
  parseSettings({ PORT: '0', DATA_DIR: dataDir, RATE_LIMIT: 'off', LOG_LEVEL: 'silent', PUBLIC_URL: 'http://pets.example' });

/**
 * Damages a file. `other` is the same file of another store. If `isDetected`, every command must reject the damaged file. If not,
 * the command may instead work as with the undamaged file.
 */
type Damage = { readonly name: string; readonly isDetected: boolean; readonly do: (path: string, other: string) => void };

const randomBytes = (count: number, seed: number): Buffer => {
  const random = createRandom(seed);
  return Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)));
};

const overwrite = (path: string, at: number, bytes: Buffer): void => {
  const whole = readFileSync(path);
  bytes.copy(whole, Math.floor(at));
  writeFileSync(path, whole);
};

/** Changes the service key for Idempotency-Keys. With the changed key, a repeated request would create a second pet. */
const CHANGED_KEY = "UPDATE service_keys SET key = randomblob(32) WHERE name = 'idempotency'";

const DAMAGES: readonly Damage[] = [
  { name: 'is missing', isDetected: true, do: (path) => rmSync(path) },
  { name: 'is empty', isDetected: true, do: (path) => truncateSync(path, 0) },
  { name: 'has only its first byte', isDetected: true, do: (path) => truncateSync(path, 1) },
  { name: 'has only its first half', isDetected: true, do: (path) => truncateSync(path, Math.floor(statSync(path).size / 2)) },
  { name: 'lacks its last page', isDetected: true, do: (path) => truncateSync(path, statSync(path).size - 4096) },
  { name: 'has a random header', isDetected: true, do: (path) => overwrite(path, 0, randomBytes(100, SEED)) },
  { name: 'has random bytes only', isDetected: true, do: (path) => writeFileSync(path, randomBytes(statSync(path).size, SEED + 1)) },
  { name: 'has zeroes only', isDetected: true, do: (path) => writeFileSync(path, Buffer.alloc(statSync(path).size)) },
  { name: 'is text', isDetected: true, do: (path) => writeFileSync(path, 'not a database\n'.repeat(1_000)) },
  { name: 'is a new database', isDetected: true, do: (path) => (rmSync(path), new DatabaseSync(path).exec('CREATE TABLE a (b)')) },
  { name: 'is another store’s', isDetected: true, do: (path, other) => cpSync(other, path) },
  { name: 'is a folder', isDetected: true, do: (path) => (rmSync(path), mkdirSync(path)) },
  {
    name: 'has a page of random bytes in its middle',
    isDetected: false,
    do: (path) => overwrite(path, middle(path), randomBytes(4096, SEED + 2)),
  },
  {
    name: 'has 64 random bytes in its middle',
    isDetected: false,
    do: (path) => overwrite(path, middle(path) + 4000, randomBytes(64, SEED + 3)),
  },
  { name: 'has a zeroed page in its middle', isDetected: false, do: (path) => overwrite(path, middle(path), Buffer.alloc(4096)) },
  { name: 'has random bytes throughout', isDetected: false, do: (path) => scatter(path) },
];

/** The offset of the page in the middle. */
const middle = (path: string): number => Math.floor(statSync(path).size / 8192) * 4096;

const scatter = (path: string): void => {
  const random = createRandom(SEED + 4);
  const { size } = statSync(path);
  for (let count = 0; count < 200; count++) overwrite(path, 4096 + random() * (size - 4097), randomBytes(1, count));
};

/** Proves contract 9.5, contract 24.8 and contract 24.9. */
describe('a service with damaged files', () => {
  let template: string;
  let other: string;
  let token: string;
  let responses: readonly RecordedResponse[];
  let onceId: unknown;
  /** The undamaged store, in its own folder. */
  let undamaged: RunningPetstore;

  beforeAll(async () => {
    jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    [template, other] = [join(newFolder(), 'store'), join(newFolder(), 'other')];
    for (const folder of [template, other]) await fill(folder);
    token = await makeToken(settingsOf(template), { scope: 'write:pets write:orders ops', subject: 'staff', expiresIn: 86_400 });
    const running = await start(settingsOf(template), createLog('silent'));
    const orders = (await (await fetch(`${running.url}/v1/orders`, { headers: bearer() })).json()) as {
      data: { id: string; petId: string }[];
    };
    const paths = orders.data.flatMap(({ id, petId }) => [
      `/v1/orders/${id}`,
      `/v1/orders/${id}/receipt`,
      `/v1/orders/${id}/payment`,
      `/v1/pets/${petId}`,
    ]);
    responses = await Promise.all([...paths, '/v1/inventories'].map(async (path) => ({ path, text: await textOf(running.url, path) })));
    onceId = await createOnce(running.url);
    await running.stop();
    const copy = join(newFolder(), 'undamaged');
    cpSync(template, copy, { recursive: true });
    undamaged = await start(settingsOf(copy), createLog('silent'));
  });
  afterAll(async () => {
    await undamaged.stop();
    jest.restoreAllMocks();
    removeFolders();
  });

  const bearer = () => ({ authorization: `Bearer ${token}` });
  const textOf = async (url: string, path: string): Promise<string> => (await fetch(url + path, { headers: bearer() })).text();
  const createOnce = async (url: string): Promise<unknown> => {
    const response = await fetch(`${url}/v1/pets`, {
      method: 'POST',
      headers: { ...bearer(), ...JSON_TYPE, ...KEY },
      body: JSON.stringify(PET),
    });
    return response.status >= 500 ? onceId : ((await response.json()) as { id: unknown }).id;
  };
  const fill = async (dataDir: string): Promise<void> => {
    const own = await startOwnPetstore({ DATA_DIR: dataDir, PUBLIC_URL: 'http://pets.example' });
    const shop = await openSharedPool(own);
    for (let sale = 0; sale < 3; sale++) await shop.sell();
    for (let pet = 0; pet < 20; pet++) await shop.listPet({ name: `Pet ${pet}`, description: 'x'.repeat(1_000) });
    await own.stop();
  };

  /** Expects the recorded responses or a server error, and no second pet for the same Idempotency-Key. */
  const expectRecordedResponses = async (dataDir: string): Promise<void> => {
    const running = await start(settingsOf(dataDir), createLog('silent'));
    try {
      for (const { path, text } of responses.filter(({ path }) => path !== '/v1/inventories')) {
        const response = await fetch(running.url + path, { headers: bearer() });
        const received = await response.text();
        if (response.status < 500) expect([path, received]).toEqual([path, text]);
        expect(received).not.toMatch(/\n\s+at /);
      }
      expect(await createOnce(running.url)).toBe(onceId);
    } finally {
      await running.stop();
    }
  };

  type Run = (dataDir: string) => Promise<unknown>;
  const into = (name: string): string => join(newFolder(), name);
  const COMMANDS: Readonly<Record<string, Run>> = {
    start: expectRecordedResponses,
    async token(dataDir) {
      const made = await makeToken(settingsOf(dataDir), { scope: 'ops', subject: 'staff', expiresIn: 60 });
      expect((await fetch(`${undamaged.url}/v1/inventories`, { headers: { authorization: `Bearer ${made}` } })).status).toBe(200);
    },
    async backup(dataDir) {
      const copy = into('copy');
      await backupCommand(settingsOf(dataDir), copy);
      await expectRecordedResponses(copy);
    },
    async restore(dataDir) {
      const restored = into('restored');
      await restoreCommand(settingsOf(restored), dataDir);
      await expectRecordedResponses(restored);
    },
    async seed(dataDir) {
      await seedCommand(settingsOf(dataDir), { pets: 2, pictures: 0, seed: 1 });
      await expectRecordedResponses(dataDir);
    },
    async 'projections rebuild'(dataDir) {
      await projectionsCommand(settingsOf(dataDir), false);
      await expectRecordedResponses(dataDir);
    },
  };

  const damaged = (file: string, damage: Damage): string => {
    const folder = into('damaged');
    cpSync(template, folder, { recursive: true });
    damage.do(join(folder, file), join(other, file));
    return folder;
  };
  const errorOf = async (work: Promise<unknown>): Promise<Error | null> =>
    work.then(
      () => null,
      (error: unknown) => error as Error,
    );

  describe.each(FILES)('if %s', (file) => {
    describe.each(DAMAGES)('$name', (damage) => {
      itOnOwnPetstore.each(Object.keys(COMMANDS))(
        'is rejected with a clear message or served unchanged: %s',
        async (name) => {
          const folder = damaged(file, damage);
          const before = readdirSync(folder).toSorted();
          const error = await errorOf(COMMANDS[name](folder));
          if (damage.isDetected || error) {
            expect(error && [FolderRefused, CommandError].some((kind) => error instanceof kind) ? 'refused' : error).toBe('refused');
            expect(error?.message).toContain(file);
            expect(error?.message).toMatch(REMEDY);
            // The remaining files are evidence of the damage, so the service must create no new file.
            expect(
              readdirSync(folder)
                .filter((entry) => !/^lock\.sqlite|-shm$|-wal$/.test(entry))
                .toSorted(),
            ).toEqual(before.filter((entry) => !/^lock\.sqlite/.test(entry)));
          }
        },
        20_000,
      );
    });
  });

  describe('in other cases', () => {
    it.each([
      ['petstore.sqlite', 'keys.sqlite'],
      ['petstore.sqlite', 'gateway.sqlite'],
      ['keys.sqlite', 'gateway.sqlite'],
    ])('is rejected without %s and %s', async (...lost) => {
      for (const name of Object.keys(COMMANDS)) {
        const folder = damaged(lost[0], DAMAGES[0]);
        rmSync(join(folder, lost[1]));
        const error = await errorOf(COMMANDS[name](folder));
        expect(error).toBeInstanceOf(FolderRefused);
        for (const file of lost) expect(error?.message).toContain(`${file} is missing`);
      }
    });

    itOnOwnPetstore.each(['randomblob(32)', 'randomblob(5)'])(
      'returns 503 for data that a damaged personal key cannot decrypt, logs the remedy, and serves the rest: %s',
      async (other) => {
        const sql = `UPDATE personal_keys SET key = ${other}`;
        const folder = damaged('keys.sqlite', { name: '', isDetected: false, do: (path) => new DatabaseSync(path).exec(sql) });
        const service = await openInProcessStore(folder, {}, { PUBLIC_URL: 'http://pets.example', LOG_LEVEL: 'error' });
        try {
          for (const { path } of responses) {
            const { status, json } = await service.call('GET', path);
            const isEncrypted = /payment|receipt/.test(path);
            expect([path, status]).toEqual([path, isEncrypted ? 503 : 200]);
            if (isEncrypted) expect(json['type']).toContain('temporarily-unavailable');
          }
          expect(service.lines.join('')).toMatch(/the key of .* is damaged\. Restore a backup/);
        } finally {
          await service.stop();
        }
      },
    );

    itOnOwnPetstore.each(Object.keys(COMMANDS))('is rejected when a key in keys.sqlite has changed: %s', async (name) => {
      const folder = damaged('keys.sqlite', { name: '', isDetected: true, do: (path) => new DatabaseSync(path).exec(CHANGED_KEY) });
      const error = await errorOf(COMMANDS[name](folder));
      expect(error).toMatchObject({
        name: 'FolderRefused',
        message: expect.stringMatching(/keys\.sqlite is damaged.*the service key idempotency/),
      });
    });

    it('creates all files in an empty folder', async () => {
      const folder = into('new');
      await (await start(settingsOf(folder), createLog('silent'))).stop();
      expect(FILES.every((file) => existsSync(join(folder, file)))).toBe(true);
    });
  });

  describe('in its own process', () => {
    const NODE = join(ROOT, 'node_modules', '.bin', 'node');
    const MAIN = join(ROOT, 'dist', 'apps', 'petstore', 'main.js');
    const NOBODY = ['--reuid=65534', '--regid=65534', '--clear-groups', NODE, MAIN];
    const isRoot = process.getuid?.() === 0;
    const NOBODY_ID = 65_534;
    const asNobody = isRoot && existsSync('/usr/bin/setpriv');
    const commandLine = (args: readonly string[]): [string, readonly string[]] =>
      asNobody ? ['/usr/bin/setpriv', [...NOBODY, ...args]] : [NODE, [MAIN, ...args]];
    // Permissions do not restrict root. If this process is root, the test needs setpriv to run as another user.
    const itWherePermissionsCount = isRoot && !asNobody ? it.skip : it;
    const forNobody = (folder: string): string => {
      chmodSync(join(folder, '..'), 0o755);
      if (asNobody) for (const entry of ['.', ...readdirSync(folder)]) chownSync(join(folder, entry), NOBODY_ID, NOBODY_ID);
      return folder;
    };
    const env = (dataDir: string) => ({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' });

    itWherePermissionsCount.each(
      FILES.flatMap(
        (file) =>
          [
            [file, 'unreadable', 0o000],
            [file, 'read-only', 0o444],
          ] as const,
      ),
    )(
      'is rejected when %s is %s and owned by another user',
      async (file, _, mode) => {
        for (const args of [['start'], ['token', '--scope', 'ops']]) {
          const folder = forNobody(damaged(file, { name: '', isDetected: true, do: () => undefined }));
          // The owner could change the mode back, so another user owns the file.
          chmodSync(join(folder, file), mode);
          if (asNobody) chownSync(join(folder, file), 0, 0);
          if (args[0] === 'token' && mode === 0o444) continue;
          const ended = await runProgram(...commandLine(args), { env: env(folder) });
          expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(file) });
          expect(ended.stderr).not.toMatch(/\n\s+at /);
        }
      },
      60_000,
    );

    it.each([['start'], ['token', '--scope', 'ops'], ['seed', '--pets', '1'], ['projections', 'rebuild']])(
      'exits with 2 and one message without keys.sqlite: %s',
      async (...args) => {
        const folder = damaged('keys.sqlite', DAMAGES[0]);
        const ended = await runProgram(NODE, [MAIN, ...args], { env: env(folder) });
        expect(ended).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringMatching(/keys\.sqlite is missing.*petstore -- restore/s),
        });
        expect(ended.stderr).not.toMatch(/\n\s+at /);
      },
    );
  });
});
