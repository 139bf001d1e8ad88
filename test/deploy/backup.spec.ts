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
esac
`;

const FILES = ['index/indexmap', 'index/stream/a.chk', 'chaser.chk', 'writer.chk', 'chunk-000000.000000'];

const run = (script: string, ...args: readonly string[]): Promise<ProgramResult> =>
  runProgram(join(DEPLOY, script), args, { env: { COMPOSE: composeStub } });

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
  writeFileSync(composeStub, STUB);
  chmodSync(composeStub, 0o755);
});

/** Returns, in order, the parts of the Docker Compose commands that show what each command does. */
const commands = (): readonly string[] =>
  readFileSync(calls, 'utf8').match(
    /unpause|pause|nodb \/backup|nodb \/restore|find \. -type f|--extract|truncate|down --|up --|ps --all|erasures \w+/g,
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
      ['down --', ...Array<string>(4).fill('--extract'), 'truncate'],
      ['up --', 'nodb /restore'],
    ];
    // The erasures are applied before any process of the service starts (contract 38.3).
    expect(commands()).toEqual([...log, ...keys, 'up --', 'erasures apply', 'erasures apply', 'up --']);
    expect(readFileSync(join(folder, 'applied.json'), 'utf8')).toBe(readFileSync(join(backup, 'erasures.json'), 'utf8'));
    for (const name of FILES) expect(readFileSync(join(data, name), 'utf8')).toBe(name);
    expect(readFileSync(join(data, 'truncate.chk'), 'utf8')).toBe('chaser.chk');
    expect(readFileSync(join(folder, 'restored.jsonl'), 'utf8')).toBe(readFileSync(join(backup, 'mongodb.jsonl'), 'utf8'));
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
