import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = ['scripts', 'tsconfig.json', 'tsconfig.build.json'];

/** A substitute for npm: records its arguments and links what npm would install. It downloads nothing. */
const NPM = `#!/bin/sh
echo "$*" >> "$NPM_CALLS"
[ -z "$NPM_FAILS" ] || { echo 'npm error: no network' >&2; exit 1; }
case $1 in
  ci)
    rm -rf node_modules && mkdir -p node_modules/.bin
    for package in typescript @types undici-types; do ln -s "$FROM/node_modules/$package" node_modules/$package; done
    mkdir -p node_modules/vite/bin && cp "$(dirname "$NPM_CALLS")/vite.js" node_modules/vite/bin/vite.js
    cp package-lock.json node_modules/.package-lock.json ;;
  rebuild) ln -s "$FROM/node_modules/node/bin/node" node_modules/.bin/node ;;
esac
`;

/** A substitute for Vite: copies a file of the console. */
const VITE = `
  const { cpSync, existsSync } = require('node:fs');
  if (!existsSync('apps/console/main.tsx')) process.exit(1);
  for (const name of ['console.js', 'console.css', 'verify.js']) cpSync('apps/console/main.tsx', 'dist/console/' + name);
`;

/** A substitute for the store: prints its arguments. Soon after the first signal it prints how many it received, and exits. */
const STORE = `
  import { greeting } from './greeting.js';
  let signals = 0;
  const stop = (): void => {
    if (++signals === 1) setTimeout(() => { console.log('signals', signals); process.exit(3); }, 50);
  };
  if (process.argv[2] === 'start') {
    process.on('SIGTERM', stop).on('SIGINT', stop);
    setInterval(() => undefined, 1000);
  } else process.exitCode = process.argv[2] === 'fail' ? 7 : 0;
  // This must come last: the test stops the program as soon as it reads the greeting.
  console.log(greeting, process.argv.slice(2).join(' '));
`;

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
  writeFileSync(join(base, 'vite.js'), VITE);
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
  write('apps/console/main.tsx', 'first');
});
afterAll(() => rmSync(base, { recursive: true }));

/** Returns the arguments of each call of npm since the last call of this function. */
const takeNpmCalls = (): string[] => {
  if (!existsSync(join(base, 'npm-calls'))) return [];
  const calls = readFileSync(join(base, 'npm-calls'), 'utf8');
  rmSync(join(base, 'npm-calls'));
  return calls.split('\n').filter(Boolean);
};

type Run = { readonly child: ChildProcess; readonly stdout: () => string; readonly stderr: () => string; readonly code: Promise<unknown> };

const running = new Set<ChildProcess>();
afterEach(() => {
  // Each child has its own process group, so that a developer's terminal sends it no signals.
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
});

const environment = (extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${join(base, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  NPM_CALLS: join(base, 'npm-calls'),
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

const runToEnd = async (...args: readonly string[]): Promise<{ code: unknown; stdout: string; stderr: string }> => {
  const { code, stdout, stderr } = run(args);
  return { code: await code, stdout: stdout(), stderr: stderr() };
};

describe('the command behind the npm scripts', () => {
  it('reports a failed installation and runs nothing', async () => {
    const { code, stdout, stderr } = run(['petstore'], { NPM_FAILS: 'yes' });
    expect([await code, stdout()]).toEqual([1, '']);
    expect(stderr()).toBe(
      'Installing dependencies…\nnpm error: no network\nThe dependencies could not be installed: see the errors of npm above.\n',
    );
    takeNpmCalls();
  });

  it('installs missing dependencies, reports that on stderr, and leaves stdout to the program', async () => {
    expect(await runToEnd('petstore', 'token', '--scope', 'read:pets')).toEqual({
      code: 0,
      stdout: 'hello token --scope read:pets\n',
      stderr: `Installing dependencies…\nFetching Node ${process.version}…\nBuilding…\n`,
    });
  });

  it('runs only the install script that fetches Node, and installs development tools in production too', () => {
    expect(takeNpmCalls()).toEqual([
      expect.stringMatching(/^ci --ignore-scripts --include=dev /),
      expect.stringMatching(/^rebuild node --ignore-scripts=false /),
    ]);
  });

  it('installs and builds nothing when everything is up to date', async () => {
    await runToEnd('build');
    expect(await runToEnd('petstore')).toEqual({ code: 0, stdout: 'hello \n', stderr: '' });
  });

  it('installs again when the lock file has changed', async () => {
    write('package-lock.json', lockFile({ 'node_modules/typescript': { version: '1.0.0' } }));
    expect((await runToEnd('petstore')).code).toBe(0);
    expect(takeNpmCalls()).toHaveLength(2);
  });

  it('accepts a manual installation', async () => {
    rmSync(file('node_modules/.petstore-dependencies'));
    expect((await runToEnd('petstore')).code).toBe(0);
    expect(takeNpmCalls()).toEqual([]);
  });

  it('exits with the program’s exit code', async () => {
    expect((await runToEnd('petstore', 'fail')).code).toBe(7);
  });

  it('builds changed files', async () => {
    write('apps/petstore/greeting.ts', "export const greeting = 'good day';\n");
    expect(await runToEnd('petstore')).toEqual({ code: 0, stdout: 'good day \n', stderr: 'Building…\n' });
  });

  it('rebuilds deleted output files, and deletes output files without a source', async () => {
    write('apps/petstore/gone.ts', 'export const gone = 1;\n');
    await runToEnd('build');
    expect(existsSync(file('dist/apps/petstore/gone.js'))).toBe(true);
    rmSync(file('apps/petstore/gone.ts'));
    rmSync(file('dist/apps/petstore/greeting.js'));
    expect((await runToEnd('petstore')).code).toBe(0);
    expect(existsSync(file('dist/apps/petstore/gone.js'))).toBe(false);
  });

  it('does not run the output of another compiler, even with unchanged sources', async () => {
    const greeting = (word: string): void => write('apps/petstore/greeting.ts', `export const greeting = '${word}';\n`);
    greeting('good day');
    await runToEnd('build');
    greeting('left over');
    spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { cwd: folder });
    expect(readFileSync(file('dist/apps/petstore/greeting.js'), 'utf8')).toContain('left over');
    greeting('good day');
    expect(await runToEnd('petstore')).toEqual({ code: 0, stdout: 'good day \n', stderr: 'Building…\n' });
  });

  it('does not run code that does not compile, also on a second call', async () => {
    write('apps/petstore/wrong.ts', "export const wrong: number = 'text';\n");
    for (const argument of ['once', 'again']) {
      const { code, stdout, stderr } = await runToEnd('petstore', argument);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('apps/petstore/wrong.ts');
    }
    rmSync(file('apps/petstore/wrong.ts'));
    expect((await runToEnd('petstore')).code).toBe(0);
  });

  it('bundles the console when one of its files has changed or is missing, and then does not compile the program', async () => {
    await runToEnd('build');
    const stamp = statSync(file('dist/.build-stamp')).mtimeMs;
    write('apps/console/main.tsx', 'second');
    expect((await runToEnd('build')).stderr).toBe('Building…\n');
    expect(readFileSync(file('dist/console/console.js'), 'utf8')).toBe('second');
    rmSync(file('dist/console/console.css'));
    expect((await runToEnd('build')).stderr).toBe('Building…\n');
    expect(existsSync(file('dist/console/console.css'))).toBe(true);
    write('apps/console/some.spec.ts', 'no part of the bundle');
    expect((await runToEnd('build')).stderr).toBe('');
    expect(statSync(file('dist/.build-stamp')).mtimeMs).toBe(stamp);
  });

  it('fails if the console cannot be bundled, also on a second call', async () => {
    rmSync(file('apps/console/main.tsx'));
    for (const command of ['petstore', 'build'])
      expect(await runToEnd(command)).toMatchObject({ code: 1, stderr: expect.stringContaining('The console cannot be built') });
    write('apps/console/main.tsx', 'third');
    expect(await runToEnd('build')).toMatchObject({ code: 0 });
  });

  it('builds once for two concurrent calls', async () => {
    rmSync(file('dist'), { recursive: true });
    const both = await Promise.all([runToEnd('petstore', 'one'), runToEnd('petstore', 'two')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.map(({ stdout }) => stdout).sort()).toEqual(['good day one\n', 'good day two\n']);
    expect(both.filter(({ stderr }) => stderr.includes('Building…'))).toHaveLength(1);
  });

  it('builds after another call was killed during its build', async () => {
    rmSync(file('dist'), { recursive: true });
    const killed = run(['build']);
    await eventually('the lock', () => existsSync(file('dist/.lock')));
    killed.child.kill('SIGKILL');
    await killed.code;
    expect(await runToEnd('petstore')).toMatchObject({ code: 0, stdout: 'good day \n' });
    expect(existsSync(file('dist/.lock'))).toBe(false);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('forwards %s once and waits for the graceful stop', async (signal) => {
    const { child, stdout, code } = run(['start']);
    await eventually('the store', () => stdout().includes('good day start'));
    child.kill(signal);
    child.kill(signal);
    expect(await code).toBe(3);
    expect(stdout()).toBe('good day start\nsignals 1\n');
  });

  it('stops the program when npm is killed by SIGKILL', async () => {
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
    // `close` is emitted only after every child process has ended, because they share the output.
    await once(child, 'close');
    running.delete(child);
    expect(stdout).toBe('good day start\nsignals 1\n');
  });

  it('shows the help of check without running it, and rejects an unknown check', async () => {
    expect(await runToEnd('check', '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Usage: npm run check \[-- NAME…\]\n/),
    });
    expect(await runToEnd('check', 'libs')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Unknown check: libs\nUsage: npm run check /),
    });
  });

  it('prints its usage for an unknown command', async () => {
    const { code, stdout, stderr } = await runToEnd('stop');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Usage: .*start\|start:cluster\|petstore\|build\|test/);
  });
});
