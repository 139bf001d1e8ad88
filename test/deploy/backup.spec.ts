import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ACCOUNT_COLLECTIONS } from '../../libs/application/state/kept-documents.js';
import { collectionsOfBackup } from './collections-of-backup.js';
import { runProgram, type ProgramResult } from '../servers/program.js';
import { DEPLOY } from './deploy-files.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-backup-'));
const [data, calls, composeStub] = [join(folder, 'eventstoredb'), join(folder, 'calls'), join(folder, 'compose')];
const [statuses, programs] = [join(folder, 'statuses'), join(folder, 'programs')];
afterAll(() => rmSync(folder, { recursive: true }));

/** Replaces Docker Compose. Runs the commands for EventStoreDB on a local folder, and prints the output of MongoDB's scripts. */
const STUB = `#!/bin/sh
echo "$*" >>"${calls}"
case "$*" in
  *"--entrypoint sh eventstoredb -c"*)
    while [ "$1" != -c ]; do shift; done
    script=$(printf %s "$2" | sed 's#/var/lib/eventstore#${data}#'); shift 2
    exec sh -c "$script" "$@" ;;
  *backup.js*) echo '{"collection":"store","document":{"_id":"id"}}'; echo '{"end":true,"documents":1}' ;;
  *'erasures export -') printf '{\\n "format": "petstore-erasures/1",\\n "check": "c"\\n}\\n' ;;
  *'erasures apply -') cat >"${join(folder, 'applied.json')}" ;;
  *restore.js*) cat >>"${join(folder, 'restored.jsonl')}" ;;
  'ps --all --format {{.Status}} eventstoredb') head -n 1 "${statuses}"; sed -i '1{$!d}' "${statuses}" ;;
  'logs '*) echo 'the end of the log' ;;
esac
`;

const FILES = ['index/indexmap', 'index/stream/a.chk', 'chaser.chk', 'writer.chk', 'chunk-000000.000000'];

/** The variables of the scripts. A `sleep` that does not wait comes first in the PATH. */
const ENV = { COMPOSE: composeStub, PATH: `${programs}:${process.env['PATH'] ?? ''}` };

const run = (script: string, ...args: readonly string[]): Promise<ProgramResult> => runProgram(join(DEPLOY, script), args, { env: ENV });

/** Sets the statuses of EventStoreDB that the stub prints one after the other. The last one stays. */
const setStatuses = (...lines: readonly string[]): void => writeFileSync(statuses, `${lines.join('\n')}\n`);

const writeExecutable = (path: string, text: string): void => {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
};

const writeData = (): void => {
  for (const name of ['index', 'index/stream']) mkdirSync(join(data, name), { recursive: true });
  for (const name of FILES) writeFileSync(join(data, name), name);
};

let backups = 0;
let backup: string;
beforeEach(() => {
  backup = join(folder, `backup-${++backups}`);
  rmSync(data, { recursive: true, force: true });
  writeData();
  writeFileSync(calls, '');
  writeExecutable(composeStub, STUB);
  mkdirSync(programs, { recursive: true });
  writeExecutable(join(programs, 'sleep'), '#!/bin/sh\n');
  setStatuses('Up 5 seconds (healthy)');
});

/** Returns, in order, the parts of the Docker Compose commands that show what each command does. */
const commands = (): readonly string[] =>
  readFileSync(calls, 'utf8').match(
    /unpause|pause|nodb \/backup|nodb \/restore|find \. -type f|--extract|truncate|down --|up --detach eventstoredb|up --|ps --all --quiet|logs|erasures \w+/g,
  ) ?? [];

describe('deploy/backup.sh', () => {
  it("copies the log in EventStoreDB's order, then MongoDB, to a folder that only its owner can read", async () => {
    const { code, stderr } = await run('backup.sh', backup);
    expect([code, stderr]).toEqual([0, '']);
    expect(commands()).toEqual([...Array<string>(4).fill('find . -type f'), 'nodb /backup', 'erasures export']);
    const contents = readdirSync(backup)
      .filter((name) => name.endsWith('.gz'))
      .map((name) =>
        execFileSync('tar', ['-tzf', join(backup, name)], { encoding: 'utf8' })
          .split('\n')
          .filter(Boolean)
          .sort(),
      );
    expect(contents).toEqual([['./index/stream/a.chk'], ['./index/indexmap'], ['./chaser.chk', './writer.chk'], ['./chunk-000000.000000']]);
    expect(statSync(backup).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(backup)) expect(statSync(join(backup, name)).mode & 0o777).toBe(0o600);
  });

  it('pauses EventStoreDB only with --pause, and resumes it before it reads MongoDB', async () => {
    await run('backup.sh', '--pause', backup);
    expect(commands()).toEqual(['pause', ...Array<string>(4).fill('find . -type f'), 'unpause', 'nodb /backup', 'erasures export']);
  });

  it('removes the incomplete backup when MongoDB cannot be read', async () => {
    appendFileSync(composeStub, 'case "$*" in *backup.js*) exit 1 ;; esac\n');
    const { code, stderr } = await run('backup.sh', '--pause', backup);
    expect([code, stderr]).toEqual([1, 'backup: MongoDB could not be read\n']);
    expect([existsSync(backup), existsSync(`${backup}.part`)]).toEqual([false, false]);
  });

  it('rejects an existing folder and prints its usage', async () => {
    expect(await run('backup.sh', data)).toMatchObject({ code: 1, stderr: `backup: ${data} exists already: name a new folder\n` });
    expect(await run('backup.sh')).toMatchObject({ code: 2, stderr: expect.stringContaining('deploy/backup.sh [--pause] FOLDER') });
    expect(await run('backup.sh', '--help')).toMatchObject({ code: 0 });
  });
});

/** Proves contract 32.5. */
describe('deploy/mongodb/backup.js', () => {
  it('reads all accounts, sessions, clients and grants, before the keys that decrypt them', () => {
    const names = ACCOUNT_COLLECTIONS.map(({ collection: { name, version } }) => `${name}_v${version}_1`);
    const read = collectionsOfBackup();
    expect(names).toContain('credentials_v1_1');
    expect(read.slice(0, read.indexOf('personal_keys'))).toEqual(expect.arrayContaining(names));
    expect(read.slice(read.indexOf('personal_keys'))).toEqual(['personal_keys', 'service_keys', 'key_seal', 'store']);
  });
});

describe('deploy/restore.sh', () => {
  it('restores the log and the keys, and then starts the service', async () => {
    await run('backup.sh', backup);
    rmSync(data, { recursive: true });
    mkdirSync(data);
    writeFileSync(calls, '');
    const { code, stderr } = await run('restore.sh', '--replace', '--erasures', join(backup, 'erasures.json'), backup);
    expect([code, stderr]).toEqual([0, '']);
    const [log, keys] = [
      ['down --', ...Array<string>(4).fill('--extract'), 'truncate', 'up --detach eventstoredb'],
      ['up --', 'nodb /restore'],
    ];
    // The erasures are applied before any process of the service starts (contract 38.3).
    expect(commands()).toEqual([...log, ...keys, 'erasures apply', 'erasures apply', 'up --']);
    expect(readFileSync(join(folder, 'applied.json'), 'utf8')).toBe(readFileSync(join(backup, 'erasures.json'), 'utf8'));
    for (const name of FILES) expect(readFileSync(join(data, name), 'utf8')).toBe(name);
    expect(readFileSync(join(data, 'truncate.chk'), 'utf8')).toBe('chaser.chk');
    expect(readFileSync(join(folder, 'restored.jsonl'), 'utf8')).toBe(readFileSync(join(backup, 'mongodb.jsonl'), 'utf8'));
  });

  describe('when EventStoreDB starts', () => {
    const STARTING = 'Up 1 second (health: starting)';
    const START = 'up --detach eventstoredb';
    const restore = async (env: Readonly<Record<string, string>> = {}): Promise<ProgramResult> => {
      await run('backup.sh', backup);
      rmSync(data, { recursive: true });
      mkdirSync(data);
      writeFileSync(calls, '');
      const args = ['--replace', '--erasures', join(backup, 'erasures.json'), backup];
      return runProgram(join(DEPLOY, 'restore.sh'), args, { env: { ...ENV, ...env } });
    };
    const commandsAfterTruncate = (): readonly string[] => commands().slice(commands().indexOf('truncate') + 1);

    it('starts it again after it has truncated the log and ended with exit code 0', async () => {
      setStatuses(STARTING, 'Exited (0) 1 second ago', STARTING, 'Up 6 seconds (healthy)');
      expect(await restore()).toMatchObject({ code: 0, stderr: '' });
      expect(commandsAfterTruncate().slice(0, 4)).toEqual([START, START, 'up --', 'nodb /restore']);
    });

    it('waits while Docker starts it again', async () => {
      setStatuses(STARTING, 'Restarting (0) Less than a second ago', STARTING, 'Up 6 seconds (healthy)');
      expect(await restore()).toMatchObject({ code: 0, stderr: '' });
      expect(commandsAfterTruncate().slice(0, 3)).toEqual([START, 'up --', 'nodb /restore']);
    });

    it.each([
      ['has failed', ['Exited (1) 2 seconds ago'], 'EventStoreDB has failed (Exited (1) 2 seconds ago)', [START]],
      ['fails again and again', ['Restarting (134) 2 seconds ago'], 'EventStoreDB has failed (Restarting (134) 2 seconds ago)', [START]],
      ['ends twice', ['Exited (0) 1 second ago'], 'EventStoreDB has ended twice with exit code 0', [START, START]],
    ])('fails with the end of its log if it %s, and writes no keys', async (_, lines, message, starts) => {
      setStatuses(STARTING, ...lines);
      expect(await restore()).toMatchObject({
        code: 1,
        stderr: `the end of the log\nrestore: ${message}: its last lines are above\n`,
      });
      expect(commandsAfterTruncate()).toEqual([...starts, 'logs']);
    });

    it('waits for the seconds of EVENTSTOREDB_WAIT', async () => {
      setStatuses(STARTING);
      expect(await restore({ EVENTSTOREDB_WAIT: '0' })).toMatchObject({
        code: 1,
        stderr: `the end of the log\nrestore: EventStoreDB was not healthy within 0 s (${STARTING}): its last lines are above\n`,
      });
      expect(await restore({ EVENTSTOREDB_WAIT: '10m' })).toMatchObject({
        code: 1,
        stderr: 'restore: EVENTSTOREDB_WAIT must be a number of seconds: 10m\n',
      });
      expect(commands()).toEqual([]);
    });
  });

  it('fails when the volume of EventStoreDB has data', async () => {
    await run('backup.sh', backup);
    expect(await run('restore.sh', '--erasures', join(backup, 'erasures.json'), backup)).toMatchObject({
      code: 1,
      stderr: 'restore: the volume of EventStoreDB has data: remove the volumes, or use --replace\n',
    });
  });

  it('leaves no keys behind if the erasures cannot be applied', async () => {
    await run('backup.sh', backup);
    rmSync(data, { recursive: true });
    mkdirSync(data);
    appendFileSync(composeStub, 'case "$*" in *"erasures apply -") exit 2 ;; esac\n');
    const { code, stderr } = await run('restore.sh', '--replace', '--erasures', join(backup, 'erasures.json'), backup);
    expect([code, stderr]).toEqual([1, expect.stringContaining('the restored volumes were removed')]);
    expect(commands().slice(-2)).toEqual(['erasures apply', 'down --']);
  });

  it('needs a list of erasures before it removes anything', async () => {
    await run('backup.sh', backup);
    writeFileSync(calls, '');
    expect(await run('restore.sh', '--replace', backup)).toMatchObject({ code: 1, stderr: expect.stringContaining('--erasures FILE') });
    const wrong = join(backup, 'mongodb.jsonl');
    expect(await run('restore.sh', '--erasures', wrong, backup)).toMatchObject({
      stderr: expect.stringContaining('is no complete list of erasures'),
    });
    const foreign = join(folder, 'foreign.json');
    writeFileSync(foreign, readFileSync(join(backup, 'erasures.json'), 'utf8').replace('"c"', '"d"'));
    expect(await run('restore.sh', '--replace', '--erasures', foreign, backup)).toMatchObject({
      stderr: expect.stringContaining('the erasures of another store'),
    });
    expect(commands()).toEqual([]);
  });

  it('rejects an incomplete and a damaged backup before it removes anything', async () => {
    await run('backup.sh', backup);
    const erasures = ['--erasures', join(backup, 'erasures.json')] as const;
    expect(await run('restore.sh', '--replace', ...erasures, data)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no SHA256SUMS'),
    });
    writeFileSync(calls, '');
    appendFileSync(join(backup, 'mongodb.jsonl'), 'x');
    expect(await run('restore.sh', '--replace', ...erasures, backup)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is damaged'),
    });
    expect(commands()).toEqual([]);
  });
});
