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
import { beginCommand, petstore } from '../servers/process.js';
import { endPrograms, type Ended } from '../servers/program.js';
import { smallDisk } from '../servers/small-disk.js';
import { SERVERS, TOKEN, WORDS, type Case } from './command-line-cases.js';

const REFUSED = 2;
const INCOMPLETE = 1;
/** Each is a process: more at once only take longer each. */
const AT_ONCE = 3;

const ROOT_FOLDER = newFolder();
let made = 0;
const place = (name = 'place'): string => join(ROOT_FOLDER, `${name}-${++made}`);

const folder = (): string => {
  const path = place('folder');
  mkdirSync(path);
  return path;
};
const file = (text: string): string => {
  const path = place('file');
  writeFileSync(path, text);
  return path;
};

/** A store with a few pets, made once; cases spoil copies of it. */
const original = place('store');
const copyOfStore = (): string => {
  const path = place('copy');
  cpSync(original, path, { recursive: true });
  return path;
};
const spoiled = (spoil: (path: string) => void): string => {
  const path = copyOfStore();
  spoil(path);
  return path;
};
const withSql = (database: string, sql: string) => (path: string) => {
  const connection = new DatabaseSync(join(path, database));
  connection.exec(sql);
  connection.close();
};

/** What is refused once it has begun. */
const places = (): readonly Case[] => [
  { name: 'an api whose MongoDB is away', args: ['api'], env: SERVERS, says: /^MONGODB_URL: .*ECONNREFUSED/ },
  { name: 'a worker whose MongoDB is away', args: ['worker'], env: SERVERS, says: /^MONGODB_URL: .*ECONNREFUSED/ },
  { name: 'a token whose MongoDB is away', args: TOKEN, env: SERVERS, says: /^MONGODB_URL: .*ECONNREFUSED/ },
  { name: 'a rebuild whose MongoDB is away', args: ['projections', 'rebuild'], env: SERVERS, says: /^MONGODB_URL: .*ECONNREFUSED/ },
  {
    name: 'an option that MongoDB’s driver does not know',
    args: ['api'],
    env: { ...SERVERS, MONGODB_URL: 'mongodb://127.0.0.1:9/petstore?flying=true' },
    says: /^MONGODB_URL: .*flying/,
  },
  {
    name: 'a host that this machine does not have',
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

const OPENING: readonly (readonly string[])[] = [['start'], ['projections', 'rebuild'], ['seed', '--pets', '1'], TOKEN, ['backup', 'TO']];

/** Each of those commands on a folder that was spoiled in the same way. */
const onFolder = (name: string, make: () => string, says: RegExp, commands = OPENING): readonly Case[] =>
  commands.map((args) => ({
    name: `${args[0]} on ${name}`,
    args: args.map((word) => (word === 'TO' ? place('backup') : word)),
    dataDir: make(),
    says,
  }));

const TAKING = OPENING.filter(([command]) => command !== 'token' && command !== 'backup');

const folders = (): readonly Case[] => [
  ...onFolder('a folder that is a file', () => file('text'), /file|ENOTDIR|no .*petstore\.sqlite/),
  ...onFolder('a folder below a file', () => join(file('text'), 'store'), /file|ENOTDIR|ENOENT|no .*petstore\.sqlite/),
  ...onFolder('a folder that cannot be made', () => '/proc/petstore', /\/proc\/petstore/),
  ...onFolder(
    'a store whose lock is a folder',
    () => spoiled((path) => (rmSync(join(path, 'lock.sqlite'), { force: true }), mkdirSync(join(path, 'lock.sqlite')))),
    /lock\.sqlite.*remove/,
    TAKING,
  ),
  ...onFolder(
    'a store whose lock is garbage',
    () => spoiled((path) => writeFileSync(join(path, 'lock.sqlite'), 'garbage'.repeat(1_000))),
    /lock\.sqlite.*remove/,
    TAKING,
  ),
  ...onFolder('a store without the table of events', () => spoiled(withSql('petstore.sqlite', 'DROP TABLE events')), /events/, [
    ['start'],
    ['projections', 'rebuild'],
    ['seed', '--pets', '1'],
  ]),
  ...onFolder(
    'a store whose log is garbage',
    () => spoiled((path) => writeFileSync(join(path, 'petstore.sqlite'), 'garbage'.repeat(1_000))),
    /petstore\.sqlite/,
  ),
  ...onFolder(
    'a store whose log is a pipe that nobody writes to',
    () =>
      spoiled((path) => {
        rmSync(join(path, 'petstore.sqlite'));
        execFileSync('mkfifo', [join(path, 'petstore.sqlite')]);
      }),
    /petstore\.sqlite cannot be used: it is not a file/,
  ),
  ...onFolder(
    'a store whose keys are garbage',
    () => spoiled((path) => writeFileSync(join(path, 'keys.sqlite'), 'garbage'.repeat(1_000))),
    /keys\.sqlite/,
  ),
  ...onFolder(
    'a store whose keys say that they are of an older format',
    () => spoiled(withSql('keys.sqlite', 'PRAGMA user_version = 0')),
    /keys\.sqlite has unexpected tables.*\n.*[Rr]estore/,
    [['start'], TOKEN],
  ),
  ...onFolder('a store without the table of keys', () => spoiled(withSql('keys.sqlite', 'DROP TABLE service_keys')), /service_keys/, [
    ['start'],
    TOKEN,
  ]),
  ...onFolder('a store whose ledger has no charges', () => spoiled(withSql('gateway.sqlite', 'DROP TABLE charges')), /charges|ledger/, [
    ['start'],
  ]),
  ...onFolder('a store of a newer version', () => spoiled(withSql('petstore.sqlite', 'PRAGMA user_version = 999')), /newer version/, [
    ['start'],
    ['projections', 'rebuild'],
  ]),
  ...onFolder('a folder in memory', () => ':memory:', /memory/, [TOKEN, ['backup', 'TO']]),
  ...onFolder('no store', folder, /petstore\.sqlite|no store/, [TOKEN, ['backup', 'TO']]),
];

const disk = smallDisk('2m').disk;

/** Fills the disk but for a few pages: a backup begins and cannot be finished. */
const fullDisk = (): string => {
  disk?.fill();
  return join(disk?.folder ?? '', 'backup');
};

const copies = (): readonly Case[] => {
  const linkInto = place('link');
  symlinkSync(original, linkInto);
  const occupied = folder();
  writeFileSync(join(occupied, 'note'), '');
  const backedUp = place('backup');
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
    { name: 'backup to where nothing can be made', args: ['backup', '/proc/petstore'], dataDir: original, says: /\/proc\/petstore/ },
    { name: 'backup to an empty name', args: ['backup', ''], dataDir: original, says: /pass the path of a folder/ },
    { name: 'restore of an empty name', args: ['restore', ''], dataDir: place(), says: /pass the path of a folder/ },
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
    { name: 'restore of nothing', args: ['restore', folder()], dataDir: place(), says: /no backup/ },
    { name: 'restore of what is not there', args: ['restore', place()], dataDir: place(), says: /no backup/ },
    { name: 'restore of a file', args: ['restore', file('text')], dataDir: place(), says: /is a file and no backup/ },
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
      says: /in memory/,
      after: () => expect(existsSync(':memory:')).toBe(false),
    },
    { name: 'restore onto a file', args: ['restore', backedUp], dataDir: file('text'), says: /file/ },
  ];
};

const outputs = (): readonly Case[] => {
  const closed = 'closed' as const;
  const full = fullDevice().target;
  return [
    ...[['token closed', closed, /its reader has closed it/] as const, ['token full', full, /ENOSPC/] as const].map(
      ([name, stdout, says]) => ({
        name: `a ${name} standard output`,
        args: TOKEN,
        dataDir: original,
        stdout,
        code: INCOMPLETE,
        says,
      }),
    ),
    {
      name: 'a backup whose standard output is full',
      args: ['backup', place('backup')],
      dataDir: original,
      stdout: full,
      code: INCOMPLETE,
      says: /ENOSPC/,
    },
    { name: 'help whose standard output is full', args: ['--help'], stdout: full, code: INCOMPLETE, says: /ENOSPC/ },
  ];
};

const seeded = await petstore(['seed', '--pets', '400'], { dataDir: original });
if (seeded.code !== 0) throw new Error(seeded.stderr);
const CASES = [...places(), ...folders(), ...copies(), ...outputs()];

const results = new Map<Case, Ended>();

const run = async (tried: Case): Promise<void> => {
  const { args, dataDir = place('missing'), env = {}, stdout } = tried;
  const program = beginCommand(args, { dataDir, env }, stdout === undefined ? {} : { stdout });
  results.set(tried, { ...(await program.ended), stdout: program.stdout(), stderr: program.stderr() });
};

beforeAll(async () => {
  const waiting = [...CASES];
  const runAll = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runAll));
}, 300_000);
afterAll(async () => {
  await endPrograms();
  disk?.unmount();
  removeFolders();
});

const STACK = /\n\s+at |node:internal|\[object|undefined/;

/** What the settings of a case are made of; the rest of this process's environment stays. */
const environmentOf = ({ env = {} }: Case): Readonly<Record<string, string>> => ({ DATA_DIR: place('missing'), PORT: '0', ...env });

/** Runs a command in this process, which is enough for what is refused before anything is opened. */
const runHere = async (tried: Case): Promise<string> => {
  let printed = '';
  const print = (text: string): void => void (printed += text);
  const silence = (command: Command): void => {
    command.configureOutput({ writeErr: print, writeOut: print });
    command.commands.forEach(silence);
  };
  silence(program);
  const before = { ...process.env };
  Object.assign(process.env, environmentOf(tried));
  try {
    await program.parseAsync([...tried.args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? '' : printed;
    return formatError(error, []) ?? String(error instanceof Error ? error.stack : error);
  } finally {
    process.env = before;
  }
  return '';
};

describe('the command line refuses in words what it is asked for', () => {
  it.each(WORDS)('$name', async (tried) => {
    const text = await runHere(tried);
    expect(text).toMatch(tried.says);
    expect(text).not.toMatch(STACK);
  });
});

describe('a process of the command line ends in words, with its exit code and without a stack trace', () => {
  it.each(CASES)('$name', (tried) => {
    const { says, code = REFUSED, after } = tried;
    const ended = results.get(tried);
    expect(ended).toMatchObject({ code, signal: null, stdout: '' });
    expect(ended?.stderr).toMatch(says);
    expect(ended?.stderr).not.toMatch(STACK);
    after?.();
  });
});
