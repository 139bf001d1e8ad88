import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommanderError, type Command } from 'commander';
import { program } from '../../apps/petstore/program.js';
import { formatError } from '../../apps/petstore/errors/error-text.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { fullDevice } from '../servers/outputs.js';
import { startPetstore, runPetstore } from '../servers/process.js';
import { endPrograms, type ProgramResult } from '../servers/program.js';
import { smallDisk } from '../servers/small-disk.js';
import { REJECTED_ARGUMENTS, SERVERS, TOKEN, type Case } from './command-line-cases.js';

const REJECTED = 2;
const INCOMPLETE = 1;
/** The number of concurrent processes. More would not be faster. */
const AT_ONCE = 3;

const ROOT_FOLDER = newFolder();
let pathCount = 0;
const newPath = (name = 'path'): string => join(ROOT_FOLDER, `${name}-${++pathCount}`);

const folder = (): string => {
  const path = newPath('folder');
  mkdirSync(path);
  return path;
};
const file = (text: string): string => {
  const path = newPath('file');
  writeFileSync(path, text);
  return path;
};

/** A store with a few pets, created once. Cases damage copies of it. */
const original = newPath('store');
const copyOfStore = (): string => {
  const path = newPath('copy');
  cpSync(original, path, { recursive: true });
  return path;
};
const damagedCopy = (damage: (path: string) => void): string => {
  const path = copyOfStore();
  damage(path);
  return path;
};
const withSql = (database: string, sql: string) => (path: string) => {
  const connection = new DatabaseSync(join(path, database));
  connection.exec(sql);
  connection.close();
};

/** Commands that start, and then fail because they cannot reach a server or cannot use an address. */
const addresses = (): readonly Case[] => [
  { name: 'api with an unreachable MongoDB', args: ['api'], env: SERVERS, says: /^MONGODB_URL: .*ECONNREFUSED/ },
  { name: 'worker with an unreachable MongoDB', args: ['worker'], env: SERVERS, says: /^MONGODB_URL: .*ECONNREFUSED/ },
  { name: 'token with an unreachable MongoDB', args: TOKEN, env: SERVERS, says: /^MONGODB_URL: .*ECONNREFUSED/ },
  {
    name: 'projections rebuild with an unreachable MongoDB',
    args: ['projections', 'rebuild'],
    env: SERVERS,
    says: /^MONGODB_URL: .*ECONNREFUSED/,
  },
  {
    name: 'an option that is unknown to MongoDB’s driver',
    args: ['api'],
    env: { ...SERVERS, MONGODB_URL: 'mongodb://127.0.0.1:9/petstore?flying=true' },
    says: /^MONGODB_URL: .*flying/,
  },
  {
    name: 'a host that is not an address of this machine',
    args: ['start'],
    env: { HOST: '192.0.2.1', ACCESS_POLICY: 'strict' },
    says: /HOST is "192\.0\.2\.1"/,
  },
  {
    name: 'a host that does not exist',
    args: ['start'],
    env: { HOST: 'nowhere.invalid', ACCESS_POLICY: 'strict' },
    says: /HOST is "nowhere\.invalid"/,
  },
];

const OPENING_COMMANDS: readonly (readonly string[])[] = [
  ['start'],
  ['projections', 'rebuild'],
  ['seed', '--pets', '1'],
  TOKEN,
  ['backup', 'TO'],
];

/** Cases of several commands on a folder with the same damage. */
const onFolder = (name: string, make: () => string, says: RegExp, commands = OPENING_COMMANDS): readonly Case[] =>
  commands.map((args) => ({
    name: `${args[0]} on ${name}`,
    args: args.map((word) => (word === 'TO' ? newPath('backup') : word)),
    dataDir: make(),
    says,
  }));

const LOCKING_COMMANDS = OPENING_COMMANDS.filter(([command]) => command !== 'token' && command !== 'backup');

const folders = (): readonly Case[] => [
  ...onFolder('a folder that is a file', () => file('text'), /file|ENOTDIR|no .*petstore\.sqlite/),
  ...onFolder('a folder below a file', () => join(file('text'), 'store'), /file|ENOTDIR|ENOENT|no .*petstore\.sqlite/),
  ...onFolder('a folder that cannot be created', () => '/proc/petstore', /\/proc\/petstore/),
  ...onFolder(
    'a store with a folder as its lock',
    () => damagedCopy((path) => (rmSync(join(path, 'lock.sqlite'), { force: true }), mkdirSync(join(path, 'lock.sqlite')))),
    /lock\.sqlite.*remove/,
    LOCKING_COMMANDS,
  ),
  ...onFolder(
    'a store with a corrupt lock',
    () => damagedCopy((path) => writeFileSync(join(path, 'lock.sqlite'), 'garbage'.repeat(1_000))),
    /lock\.sqlite.*remove/,
    LOCKING_COMMANDS,
  ),
  ...onFolder('a store without the table of events', () => damagedCopy(withSql('petstore.sqlite', 'DROP TABLE events')), /events/, [
    ['start'],
    ['projections', 'rebuild'],
    ['seed', '--pets', '1'],
  ]),
  ...onFolder(
    'a store with a corrupt log',
    () => damagedCopy((path) => writeFileSync(join(path, 'petstore.sqlite'), 'garbage'.repeat(1_000))),
    /petstore\.sqlite/,
  ),
  ...onFolder(
    'a store with a pipe without a writer as its log',
    () =>
      damagedCopy((path) => {
        rmSync(join(path, 'petstore.sqlite'));
        execFileSync('mkfifo', [join(path, 'petstore.sqlite')]);
      }),
    /petstore\.sqlite cannot be used: it is not a file/,
  ),
  ...onFolder(
    'a store with corrupt keys',
    () => damagedCopy((path) => writeFileSync(join(path, 'keys.sqlite'), 'garbage'.repeat(1_000))),
    /keys\.sqlite/,
  ),
  ...onFolder(
    'a store with keys of an older format',
    () => damagedCopy(withSql('keys.sqlite', 'PRAGMA user_version = 0')),
    /keys\.sqlite has unexpected tables.*\n.*[Rr]estore/,
    [['start'], TOKEN],
  ),
  ...onFolder('a store without the table of keys', () => damagedCopy(withSql('keys.sqlite', 'DROP TABLE service_keys')), /service_keys/, [
    ['start'],
    TOKEN,
  ]),
  ...onFolder(
    'a store with a ledger without charges',
    () => damagedCopy(withSql('gateway.sqlite', 'DROP TABLE charges')),
    /charges|ledger/,
    [['start']],
  ),
  ...onFolder('a store of a newer version', () => damagedCopy(withSql('petstore.sqlite', 'PRAGMA user_version = 999')), /newer version/, [
    ['start'],
    ['projections', 'rebuild'],
  ]),
  ...onFolder('a folder in memory', () => ':memory:', /memory/, [
    TOKEN,
    ['backup', 'TO'],
    ['projections', 'rebuild'],
    ['seed', '--pets', '1'],
  ]),
  ...onFolder('a folder without a store', folder, /petstore\.sqlite|no store/, [TOKEN, ['backup', 'TO'], ['projections', 'rebuild']]),
];

const disk = smallDisk('2m').disk;

/** Fills the small disk except for a few pages, so that a backup to it cannot be completed. Returns a path for the backup. */
const fullDisk = (): string => {
  disk?.fill();
  return join(disk?.folder ?? '', 'backup');
};

const copies = (): readonly Case[] => {
  const linkInto = newPath('link');
  symlinkSync(original, linkInto);
  const occupied = folder();
  writeFileSync(join(occupied, 'note'), '');
  const backedUp = newPath('backup');
  cpSync(original, backedUp, { recursive: true });
  const onDisk = fullDisk();
  return [
    {
      name: 'backup into the store',
      args: ['backup', join(original, 'backup')],
      dataDir: original,
      says: /is inside the folder to copy: choose a folder outside it/,
      after: () => expect(existsSync(join(original, 'backup'))).toBe(false),
    },
    {
      name: 'backup onto the store',
      args: ['backup', original],
      dataDir: original,
      says: /is inside the folder to copy: choose a folder outside it/,
    },
    {
      name: 'backup through a symbolic link into the store',
      args: ['backup', join(linkInto, 'backup')],
      dataDir: original,
      says: /is inside the folder to copy: choose a folder outside it/,
      after: () => expect(existsSync(join(original, 'backup'))).toBe(false),
    },
    {
      name: 'backup of a link into its target',
      args: ['backup', join(original, 'a', 'b')],
      dataDir: linkInto,
      says: /is inside the folder to copy: choose a folder outside it/,
    },
    { name: 'backup into a folder that is not empty', args: ['backup', occupied], dataDir: original, says: /not empty \(note\)/ },
    { name: 'backup into a file', args: ['backup', file('text')], dataDir: original, says: /is a file/ },
    { name: 'backup below a file', args: ['backup', join(file('text'), 'backup')], dataDir: original, says: /ENOTDIR|cannot be used/ },
    {
      name: 'backup to a place where no folder can be created',
      args: ['backup', '/proc/petstore'],
      dataDir: original,
      says: /\/proc\/petstore/,
    },
    { name: 'backup to an empty name', args: ['backup', ''], dataDir: original, says: /pass the path of a folder/ },
    { name: 'restore of an empty name', args: ['restore', ''], dataDir: newPath(), says: /pass the path of a folder/ },
    { name: 'backup to memory', args: ['backup', ':memory:'], dataDir: original, says: /memory/ },
    ...(disk
      ? [
          {
            name: 'backup to a full disk',
            args: ['backup', onDisk],
            dataDir: original,
            says: /full|space/,
            after: () => expect(existsSync(onDisk)).toBe(false),
          },
        ]
      : []),
    { name: 'restore of an empty folder', args: ['restore', folder()], dataDir: newPath(), says: /no backup/ },
    { name: 'restore of a missing folder', args: ['restore', newPath()], dataDir: newPath(), says: /no backup/ },
    { name: 'restore of a file', args: ['restore', file('text')], dataDir: newPath(), says: /is a file and no backup/ },
    { name: 'restore onto a store', args: ['restore', backedUp], dataDir: copyOfStore(), says: /not empty/ },
    {
      name: 'restore into the backup',
      args: ['restore', backedUp],
      dataDir: join(backedUp, 'store'),
      says: /is inside the folder to copy: choose a folder outside it/,
    },
    {
      name: 'restore into memory',
      args: ['restore', backedUp],
      dataDir: ':memory:',
      says: /into memory/,
      after: () => expect(existsSync(':memory:')).toBe(false),
    },
    { name: 'restore onto a file', args: ['restore', backedUp], dataDir: file('text'), says: /file/ },
  ];
};

const outputs = (): readonly Case[] => {
  const closed = 'closed' as const;
  const full = fullDevice().target;
  return [
    ...[['closed', closed, /its reader has closed it/] as const, ['full', full, /ENOSPC/] as const].map(([state, stdout, says]) => ({
      name: `a token with a ${state} standard output`,
      args: TOKEN,
      dataDir: original,
      stdout,
      code: INCOMPLETE,
      says,
    })),
    {
      name: 'a backup with a full standard output',
      args: ['backup', newPath('backup')],
      dataDir: original,
      stdout: full,
      code: INCOMPLETE,
      says: /ENOSPC/,
    },
    { name: 'help with a full standard output', args: ['--help'], stdout: full, code: INCOMPLETE, says: /ENOSPC/ },
  ];
};

const seeded = await runPetstore(['seed', '--pets', '400'], { dataDir: original });
if (seeded.code !== 0) throw new Error(seeded.stderr);
const CASES = [...addresses(), ...folders(), ...copies(), ...outputs()];

const results = new Map<Case, ProgramResult>();

const run = async (testCase: Case): Promise<void> => {
  const { args, dataDir = newPath('missing'), env = {}, stdout } = testCase;
  const program = startPetstore(args, { dataDir, env }, stdout === undefined ? {} : { stdout });
  results.set(testCase, { ...(await program.ended), stdout: program.stdout(), stderr: program.stderr() });
};

beforeAll(async () => {
  const waiting = [...CASES];
  const runAll = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runAll));
});
afterAll(async () => {
  await endPrograms();
  disk?.unmount();
  removeFolders();
});

const STACK = /\n\s+at |node:internal|\[object|undefined/;

/** The settings of a case, added to the environment of this process. */
const environmentOf = ({ env = {} }: Case): Readonly<Record<string, string>> => ({ DATA_DIR: newPath('missing'), PORT: '0', ...env });

/** Runs a command in this process, because rejected arguments need no process of their own. Returns the error message. */
const runHere = async (testCase: Case): Promise<string> => {
  let printed = '';
  const print = (text: string): void => void (printed += text);
  const silence = (command: Command): void => {
    command.configureOutput({ writeErr: print, writeOut: print });
    command.commands.forEach(silence);
  };
  silence(program);
  const before = { ...process.env };
  Object.assign(process.env, environmentOf(testCase));
  try {
    await program.parseAsync([...testCase.args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? '' : printed;
    return formatError(error, []) ?? String(error instanceof Error ? error.stack : error);
  } finally {
    process.env = before;
  }
  return '';
};

/** Proves contract 5.3 and contract 27.1: lifetimes of tokens, and the profile of each command. */
describe('the command line rejects with a clear message', () => {
  it.each(REJECTED_ARGUMENTS)('$name', async (testCase) => {
    const text = await runHere(testCase);
    expect(text).toMatch(testCase.says);
    expect(text).not.toMatch(STACK);
  });
});

/** Proves contract 27.6. */
describe('a process of the command line ends with a clear message and its exit code, without a stack trace', () => {
  it.each(CASES)('$name', (testCase) => {
    const { says, code = REJECTED, after } = testCase;
    const ended = results.get(testCase);
    expect(ended).toMatchObject({ code, signal: null, stdout: '' });
    expect(ended?.stderr).toMatch(says);
    expect(ended?.stderr).not.toMatch(STACK);
    after?.();
  });
});
