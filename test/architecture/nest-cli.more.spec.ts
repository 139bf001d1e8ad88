import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { endPrograms, ROOT, startProgram, type Program } from '../servers/program.js';

/**
 * The files of the repository that the build reads. The test builds in a copy with its own `dist`, because other suites use
 * the `dist` of the repository.
 */
const COPIED = ['.npmrc', 'apps', 'libs', 'nest-cli.json', 'package-lock.json', 'package.json', 'scripts', 'test', 'tsconfig.build.json'];
/**
 * The entries of node_modules that begin with a dot and that the copy needs: the programs, and the records of the
 * installation.
 */
const DOT_FILES = ['.bin', '.package-lock.json', '.petstore-dependencies'];

let folder: string;

beforeAll(() => {
  folder = join(newFolder(), 'a copy');
  for (const name of [...COPIED, 'tsconfig.json']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  // Each package is a link of its own, so that a removal of node_modules removes only links.
  mkdirSync(join(folder, 'node_modules'));
  const packages = readdirSync(join(ROOT, 'node_modules')).filter((name) => !name.startsWith('.') || DOT_FILES.includes(name));
  for (const name of packages) symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
});
afterEach(endPrograms);
afterAll(removeFolders);

const outputOf = (program: Program): string => program.stdout() + program.stderr();

const start = (command: string, ...args: readonly string[]): Program =>
  startProgram(command, args, { cwd: folder, detached: true, env: { DATA_DIR: join(folder, '.data'), PORT: '0' } });

/** Waits until a program and its child processes have ended. Returns the output; throws if the program failed. */
const waitForSuccess = async (program: Program): Promise<string> => {
  let code: number | null | undefined;
  void program.ended.then((exit) => (code = exit.code));
  await eventually(`the end of ${outputOf(program)}`, () => code !== undefined);
  if (code !== 0) throw new Error(`ended with ${code}: ${outputOf(program)}`);
  return program.stdout();
};

/** Returns a digest of the compiled files, excluding the compiler's build information, and the console, which Nest does not bundle. */
const digestOfBuild = (): string => {
  const hash = createHash('sha256');
  for (const name of (readdirSync(join(folder, 'dist'), { recursive: true }) as string[]).sort())
    if (/\.js(\.map)?$/.test(name) && !name.startsWith('console/'))
      hash.update(`${name} `).update(readFileSync(join(folder, 'dist', name)));
  return hash.digest('hex');
};

describe('npx nest build', () => {
  it('compiles the same runnable program as npm run build', async () => {
    await waitForSuccess(start('npm', 'run', 'build'));
    const expected = digestOfBuild();
    rmSync(join(folder, 'dist'), { recursive: true });
    await waitForSuccess(start('npx', 'nest', 'build'));
    expect(digestOfBuild()).toBe(expected);
    expect(await waitForSuccess(start(process.execPath, 'dist/apps/petstore/main.js', '--help'))).toContain(
      'run the service on HOST and PORT',
    );
  });
});

const BANNER = 'apps/petstore/terminal/banner.ts';

/** Waits until the program has printed an address after `greeting` and responds there. Returns the address. */
const waitUntilServed = async (program: Program, greeting: string): Promise<string> => {
  const where = new RegExp(`${greeting} (http://[^\\s]+)`);
  const url = await eventually(`"${greeting}" in ${outputOf(program)}`, () => where.exec(program.stdout())?.[1]);
  await eventually(`the store at ${url}`, async () => (await fetch(`${url}/health/ready`)).ok);
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

  it('restarts the service when a source file changes, and Ctrl-C leaves no process', async () => {
    const program = start('npm', 'run', 'start:dev');
    const before = await waitUntilServed(program, original);
    rewrite(original, changed);
    const after = await waitUntilServed(program, changed);
    expect(outputOf(program)).toContain('File change detected');
    program.signal('SIGINT', 'group');
    await waitForSuccess(program);
    expect([await isGone(before), await isGone(after)]).toEqual([true, true]);
  });

  it('leaves no process if it is stopped during a restart', async () => {
    const program = start('npm', 'run', 'start:dev');
    const before = await waitUntilServed(program, changed);
    rewrite(changed, original);
    await eventually('the end of the first store', () => outputOf(program).includes('stopping: finishing the accepted work'));
    program.signal('SIGTERM');
    await waitForSuccess(program);
    expect(await isGone(before)).toBe(true);
  });

  it('shows a compiler error and waits until it is fixed', async () => {
    rewrite(original, `\${1 satisfies string}${original}`);
    const program = start('npm', 'run', 'start:dev');
    await eventually('the error', () => outputOf(program).includes('Found 1 error.'));
    rewrite('${1 satisfies string}', '');
    await waitUntilServed(program, original);
    program.signal('SIGTERM');
    await waitForSuccess(program);
  });
});
