import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { endPrograms, ROOT, startProgram, type Program } from '../servers/program.js';

/** What a clone has, as far as it is built: this repository's own dist belongs to the other suites. */
const COPIED = ['.npmrc', 'apps', 'libs', 'nest-cli.json', 'package-lock.json', 'package.json', 'scripts', 'test', 'tsconfig.build.json'];
/** In node_modules: where the tools are, and the notes of what was installed. The caches stay with this repository. */
const DOT_FILES = ['.bin', '.package-lock.json', '.petstore-dependencies'];

/** Longer than the compiler takes on a machine that has other guests. */
const SLOW = 120_000;
jest.setTimeout(3 * SLOW);

let folder: string;

beforeAll(() => {
  folder = join(newFolder(), 'a copy');
  for (const name of [...COPIED, 'tsconfig.json']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  // Links one by one: whatever removed node_modules would remove links.
  mkdirSync(join(folder, 'node_modules'));
  const packages = readdirSync(join(ROOT, 'node_modules')).filter((name) => !name.startsWith('.') || DOT_FILES.includes(name));
  for (const name of packages) symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
});
afterEach(endPrograms);
afterAll(removeFolders);

const says = (program: Program): string => program.stdout() + program.stderr();

const start = (command: string, ...args: readonly string[]): Program =>
  startProgram(command, args, { cwd: folder, detached: true, env: { DATA_DIR: join(folder, '.data'), PORT: '0' } });

/** Waits for its end and that of everything it has started: as long as one lives, its output stays open. */
const ended = async (program: Program): Promise<string> => {
  let code: number | null | undefined;
  void program.ended.then((exit) => (code = exit.code));
  await eventually(`the end of ${says(program)}`, () => code !== undefined, SLOW);
  if (code !== 0) throw new Error(`ended with ${code}: ${says(program)}`);
  return program.stdout();
};

/** A digest of everything that was compiled, without the compiler's notes. */
const compiled = (): string => {
  const hash = createHash('sha256');
  for (const name of (readdirSync(join(folder, 'dist'), { recursive: true }) as string[]).sort())
    if (/\.js(\.map)?$/.test(name)) hash.update(`${name} `).update(readFileSync(join(folder, 'dist', name)));
  return hash.digest('hex');
};

describe('npx nest build', () => {
  it('makes the same program as npm run build, which runs', async () => {
    await ended(start('npm', 'run', 'build'));
    const expected = compiled();
    rmSync(join(folder, 'dist'), { recursive: true });
    await ended(start('npx', 'nest', 'build'));
    expect(compiled()).toBe(expected);
    expect(await ended(start(process.execPath, 'dist/apps/petstore/main.js', '--help'))).toContain(
      'serve the store in DATA_DIR on HOST and PORT',
    );
  });
});

const BANNER = 'apps/petstore/terminal/banner.ts';

/** The address that stands behind a greeting, once the store there answers. */
const served = async (program: Program, greeting: string): Promise<string> => {
  const where = new RegExp(`${greeting} (http://[^\\s]+)`);
  const url = await eventually(`"${greeting}" in ${says(program)}`, () => where.exec(program.stdout())?.[1], SLOW);
  await eventually(`the store at ${url}`, async () => (await fetch(`${url}/health/ready`)).ok, SLOW);
  return url;
};

const isGone = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe('npm run start:dev', () => {
  const original = 'Petstore is open at';
  const changed = 'Petstore was changed and is open at';
  const rewrite = (from: string, to: string): void =>
    writeFileSync(join(folder, BANNER), readFileSync(join(folder, BANNER), 'utf8').replace(from, to));

  it('starts the store again when a source file changes, and Ctrl-C leaves no process', async () => {
    const program = start('npm', 'run', 'start:dev');
    const before = await served(program, original);
    rewrite(original, changed);
    const after = await served(program, changed);
    expect(says(program)).toContain('File change detected');
    program.signal('SIGINT', 'group');
    await ended(program);
    expect([await isGone(before), await isGone(after)]).toEqual([true, true]);
  });

  it('leaves no process either when it is stopped while it starts the store again', async () => {
    const program = start('npm', 'run', 'start:dev');
    const before = await served(program, changed);
    rewrite(changed, original);
    await eventually('the end of the first store', () => says(program).includes('stopping: finishing the accepted work'), SLOW);
    program.signal('SIGTERM');
    await ended(program);
    expect(await isGone(before)).toBe(true);
  });

  it('shows what does not compile and waits until it does', async () => {
    rewrite(original, `\${1 satisfies string}${original}`);
    const program = start('npm', 'run', 'start:dev');
    await eventually('the error', () => says(program).includes('Found 1 error.'), SLOW);
    rewrite('${1 satisfies string}', '');
    await served(program, original);
    program.signal('SIGTERM');
    await ended(program);
  });
});
