import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../eventually.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = ['scripts', 'tsconfig.json', 'tsconfig.build.json'];

/** Stands for npm: writes down what it is asked for, and puts in place what it would install. Nothing is fetched. */
const NPM = `#!/bin/sh
echo "$*" >> "$ASKED"
[ -z "$NPM_FAILS" ] || { echo 'npm error: no network' >&2; exit 1; }
case $1 in
  ci)
    rm -rf node_modules && mkdir -p node_modules/.bin
    for package in typescript @types undici-types; do ln -s "$FROM/node_modules/$package" node_modules/$package; done
    cp package-lock.json node_modules/.package-lock.json ;;
  rebuild) ln -s "$FROM/node_modules/node/bin/node" node_modules/.bin/node ;;
esac
`;

/** Says what it was given, and stops when it is told to, a moment later, saying how often it was told. */
const STORE = `
  import { greeting } from './greeting.js';
  let told = 0;
  const stop = (): void => {
    if (++told === 1) setTimeout(() => { console.log('told', told); process.exit(3); }, 50);
  };
  if (process.argv[2] === 'start') {
    process.on('SIGTERM', stop).on('SIGINT', stop);
    setInterval(() => undefined, 1000);
  } else process.exitCode = process.argv[2] === 'fail' ? 7 : 0;
  // Last: the test stops the program as soon as it reads this line.
  console.log(greeting, process.argv.slice(2).join(' '));
`;

/** Every test builds something. */
jest.setTimeout(60_000);

let base: string;
let folder: string;
const file = (...parts: readonly string[]): string => join(folder, ...parts);
const write = (path: string, text: string): void => writeFileSync(file(path), text);

const lockFile = (extra: object = {}): string => {
  const node = process.version.slice(1);
  const packages = { '': { dependencies: { node } }, 'node_modules/node': { version: node }, ...extra };
  return JSON.stringify({ lockfileVersion: 3, packages });
};

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'petstore-run-'));
  folder = join(base, 'repository');
  for (const name of COPIED) cpSync(join(ROOT, name), file(name), { recursive: true });
  mkdirSync(join(base, 'bin'));
  writeFileSync(join(base, 'bin/npm'), NPM, { mode: 0o755 });
  write('package.json', JSON.stringify({ type: 'module', dependencies: { node: process.version.slice(1) } }));
  write('package-lock.json', lockFile());
  mkdirSync(file('apps/petstore'), { recursive: true });
  write('apps/petstore/main.ts', STORE);
  write('apps/petstore/greeting.ts', "export const greeting = 'hello';\n");
  for (const pattern of (JSON.parse(readFileSync(file('tsconfig.build.json'), 'utf8')) as { exclude: string[] }).exclude) {
    const leftOut = pattern.startsWith('**/*') ? `apps/petstore/left-out${pattern.slice('**/*'.length)}` : `${pattern}/left-out.ts`;
    mkdirSync(join(file(leftOut), '..'), { recursive: true });
    write(leftOut, 'export {};\n');
  }
});
afterAll(() => rmSync(base, { recursive: true }));

/** What npm was asked for since it was last looked at. */
const askedOfNpm = (): string[] => {
  if (!existsSync(join(base, 'asked'))) return [];
  const asked = readFileSync(join(base, 'asked'), 'utf8');
  rmSync(join(base, 'asked'));
  return asked.split('\n').filter(Boolean);
};

type Run = { readonly child: ChildProcess; readonly stdout: () => string; readonly stderr: () => string; readonly code: Promise<unknown> };

const running = new Set<ChildProcess>();
afterEach(() => {
  // Each has a process group of its own, which also keeps a developer's terminal out of the tests of signals.
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
});

const environment = (extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${join(base, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  ASKED: join(base, 'asked'),
  FROM: ROOT,
  npm_lifecycle_event: 'start',
  ...extra,
});

const run = (args: readonly string[], extra: NodeJS.ProcessEnv = {}): Run => {
  const child = spawn(process.execPath, ['scripts/run.mjs', ...args], { cwd: folder, env: environment(extra), detached: true });
  running.add(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => (stdout += String(text)));
  child.stderr.on('data', (text) => (stderr += String(text)));
  const code = once(child, 'close').then(([status]: unknown[]) => (running.delete(child), status));
  return { child, stdout: () => stdout, stderr: () => stderr, code };
};

const finished = async (...args: readonly string[]): Promise<{ code: unknown; stdout: string; stderr: string }> => {
  const { code, stdout, stderr } = run(args);
  return { code: await code, stdout: stdout(), stderr: stderr() };
};

describe('the command behind the npm scripts', () => {
  it('says what is wrong when nothing can be installed, and runs nothing', async () => {
    const { code, stdout, stderr } = run(['petstore'], { NPM_FAILS: 'yes' });
    expect([await code, stdout()]).toEqual([1, '']);
    expect(stderr()).toBe(
      'Installing dependencies…\nnpm error: no network\nThe dependencies could not be installed: see the errors of npm above.\n',
    );
    askedOfNpm();
  });

  it('brings what is missing, says so aside, and leaves stdout to the program', async () => {
    expect(await finished('petstore', 'token', '--scope', 'read:pets')).toEqual({
      code: 0,
      stdout: 'hello token --scope read:pets\n',
      stderr: `Installing dependencies…\nFetching Node ${process.version}…\nBuilding…\n`,
    });
  });

  it("lets no package's install script run but the one that fetches Node, and installs the tools in production too", () => {
    const asked = askedOfNpm();
    expect(asked).toEqual([
      expect.stringMatching(/^ci --ignore-scripts --include=dev /),
      expect.stringMatching(/^rebuild node --ignore-scripts=false /),
    ]);
  });

  it('says and does nothing more when all is fresh', async () => {
    await finished('build');
    expect(await finished('petstore')).toEqual({ code: 0, stdout: 'hello \n', stderr: '' });
  });

  it('installs again when the lock file asks for something else', async () => {
    write('package-lock.json', lockFile({ 'node_modules/typescript': { version: '1.0.0' } }));
    expect((await finished('petstore')).code).toBe(0);
    expect(askedOfNpm()).toHaveLength(2);
  });

  it('takes an installation by hand as it is', async () => {
    rmSync(file('node_modules/.petstore-dependencies'));
    expect((await finished('petstore')).code).toBe(0);
    expect(askedOfNpm()).toEqual([]);
  });

  it("ends with the program's exit code", async () => {
    expect((await finished('petstore', 'fail')).code).toBe(7);
  });

  it('builds what has changed', async () => {
    write('apps/petstore/greeting.ts', "export const greeting = 'good day';\n");
    expect(await finished('petstore')).toEqual({ code: 0, stdout: 'good day \n', stderr: 'Building…\n' });
  });

  it('builds again what somebody deleted, and deletes what has no source any more', async () => {
    write('apps/petstore/gone.ts', 'export const gone = 1;\n');
    await finished('build');
    expect(existsSync(file('dist/apps/petstore/gone.js'))).toBe(true);
    rmSync(file('apps/petstore/gone.ts'));
    rmSync(file('dist/apps/petstore/greeting.js'));
    expect((await finished('petstore')).code).toBe(0);
    expect(existsSync(file('dist/apps/petstore/gone.js'))).toBe(false);
  });

  it('does not run what another compiler left there, although the sources are as they were', async () => {
    const greeting = (word: string): void => write('apps/petstore/greeting.ts', `export const greeting = '${word}';\n`);
    greeting('good day');
    await finished('build');
    greeting('left over');
    spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { cwd: folder });
    expect(readFileSync(file('dist/apps/petstore/greeting.js'), 'utf8')).toContain('left over');
    greeting('good day');
    expect(await finished('petstore')).toEqual({ code: 0, stdout: 'good day \n', stderr: 'Building…\n' });
  });

  it('does not run what does not compile, however often it is asked', async () => {
    write('apps/petstore/wrong.ts', "export const wrong: number = 'text';\n");
    for (const asked of ['once', 'again']) {
      const { code, stdout, stderr } = await finished('petstore', asked);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('apps/petstore/wrong.ts');
    }
    rmSync(file('apps/petstore/wrong.ts'));
    expect((await finished('petstore')).code).toBe(0);
  });

  it('prepares once when it is asked twice at the same time', async () => {
    rmSync(file('dist'), { recursive: true });
    const both = await Promise.all([finished('petstore', 'one'), finished('petstore', 'two')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.map(({ stdout }) => stdout).sort()).toEqual(['good day one\n', 'good day two\n']);
    expect(both.filter(({ stderr }) => stderr.includes('Building…'))).toHaveLength(1);
  });

  it('takes over from one that was killed while it prepared', async () => {
    rmSync(file('dist'), { recursive: true });
    const killed = run(['build']);
    await eventually('the lock', () => existsSync(file('dist/.lock')));
    killed.child.kill('SIGKILL');
    await killed.code;
    expect(await finished('petstore')).toMatchObject({ code: 0, stdout: 'good day \n' });
    expect(existsSync(file('dist/.lock'))).toBe(false);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('passes %s on once and waits for the graceful stop', async (signal) => {
    const { child, stdout, code } = run(['start']);
    await eventually('the store', () => stdout().includes('good day start'));
    child.kill(signal);
    child.kill(signal);
    expect(await code).toBe(3);
    expect(stdout()).toBe('good day start\ntold 1\n');
  });

  it('stops the program when npm is killed outright', async () => {
    const npm = `
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['scripts/run.mjs', 'start'], { stdio: 'inherit' });
    `;
    const child = spawn(process.execPath, ['-e', npm], { cwd: folder, env: environment(), detached: true });
    running.add(child);
    let stdout = '';
    child.stdout.on('data', (text) => (stdout += String(text)));
    await eventually('the store', () => stdout.includes('good day start'));
    child.kill('SIGKILL');
    // Its output stays open as long as anything it started lives.
    await once(child, 'close');
    running.delete(child);
    expect(stdout).toBe('good day start\ntold 1\n');
  });

  it('shows what a check does instead of running it, and rejects an argument that it does not take', async () => {
    expect(await finished('check', '--help')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: npm run check\n/) });
    expect(await finished('check', 'libs')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Unknown argument: libs\nUsage: npm run check\n/),
    });
  });

  it('says what it knows when it is asked for something else', async () => {
    const { code, stdout, stderr } = await finished('stop');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Usage: .*start\|petstore\|build\|test/);
  });
});
