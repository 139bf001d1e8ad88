import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../eventually.js';
import { printLine } from '../print-line.js';
import { removeFolders } from '../servers/data-folder.js';
import { commandsOf, PRINTED_ADDRESS } from '../servers/documents.js';
import { endPrograms, type ProgramResult } from '../servers/program.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { openShell } from '../servers/shell.js';
import { README_WALK, walkThrough } from '../servers/walk.js';
import { availableEngine, type Engine } from './engine.js';

/** Every test starts containers. */
jest.setTimeout(120_000);

/** Milliseconds. The build installs packages twice and compiles the sources. */
const BUILT_WITHIN = 600_000;
const MEBIBYTE = 1_048_576;
const IMAGE = `petstore-test:${process.pid}`;
const CONTAINER = `petstore-test-${process.pid}`;
/** A user id other than that of the image's user. */
const OTHER_USER = 10_002;
const PROGRAM = 'node dist/apps/petstore/main.js';

/** The options for a container with the rights and limits that compose.yaml sets. */
const HARDENED = [
  ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
  ...['--memory', '512m', '--pids-limit', '200'],
];

/** Code that Node runs in the image. It prints the names of all files and folders in /app, with their sizes. */
const LIST_FILES = `
  const { readdirSync, statSync } = require('node:fs');
  const entries = readdirSync('/app', { recursive: true, withFileTypes: true });
  const pathOf = ({ parentPath, name }) => parentPath.slice('/app'.length).replace(/^\\//, '') + '/' + name;
  console.log(JSON.stringify(entries.map((entry) => [pathOf(entry).replace(/^\\//, ''), entry.isFile() ? statSync(entry.parentPath + '/' + entry.name).size : 0])));`;

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const engine = await availableEngine();

describeIfAvailable('the image', engine, ({ command, environment, run, build, isHealthy }: Engine) => {
  /** Runs a command in a new container that has the rights and limits of compose.yaml. */
  const runOnce = (...words: readonly string[]): Promise<ProgramResult> => run('run', '--rm', ...HARDENED, ...words);
  const runNode = (code: string, ...words: readonly string[]): Promise<ProgramResult> =>
    runOnce('--entrypoint', 'node', IMAGE, '--eval', code, ...words);

  /** Returns null while the container is running but not yet healthy. */
  const stateOfContainer = async (): Promise<'healthy' | 'ended' | null> => {
    if (await isHealthy(CONTAINER)) return 'healthy';
    const { stdout } = await run('inspect', '--format', '{{.State.Running}}', CONTAINER);
    return stdout.trim() === 'true' ? null : 'ended';
  };

  let data: string;

  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'petstore-image-'));
    const begun = performance.now();
    const { code, stderr } = await build(IMAGE);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    const { stdout } = await run('image', 'inspect', '--format', '{{.Size}}', IMAGE);
    printLine(`The image: built in ${seconds(begun)}, ${Math.round(Number(stdout) / MEBIBYTE)} MiB (${command})`);
  }, BUILT_WITHIN);

  afterAll(async () => {
    await run('rm', '--force', CONTAINER);
    await run('image', 'rm', '--force', IMAGE);
    await endPrograms();
    removeFolders();
    rmSync(data, { recursive: true, force: true });
  });

  describe('the image', () => {
    it('contains the same version of Node as the tests', async () => {
      expect((await runNode('console.log(process.version)')).stdout.trim()).toBe(process.version);
    });

    it('contains the compiled service and its dependencies, but no tests or tools, in less than 90 MiB', async () => {
      const files = new Map(JSON.parse((await runNode(LIST_FILES)).stdout) as [string, number][]);
      const names = [...files.keys()];
      expect(names).toEqual(
        expect.arrayContaining(['dist/apps/petstore/main.js', 'node_modules/fastify/package.json', 'package.json', 'LICENSE']),
      );
      expect(names.filter((name) => /^dist\/(?!apps|libs)/.test(name))).toEqual([]);
      expect(names.filter((name) => /^dist\/.*(\.spec|\.fixtures|testing)\b/.test(name))).toEqual([]);
      expect(names.filter((name) => /\.(map|d\.ts)$/.test(name))).toEqual([]);
      const tools = ['typescript', 'jest', 'eslint', '@swc/core', 'node', '.bin'].map((tool) => `node_modules/${tool}`);
      expect(names.filter((name) => tools.includes(name))).toEqual([]);
      expect([...files.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(90 * MEBIBYTE);
    });

    it('runs as an unprivileged user that cannot write to /app, even if the root file system is writable', async () => {
      const write = `console.log(process.getuid()); require('node:fs').writeFileSync('/app/dist/written', '')`;
      const { stdout, stderr } = await run('run', '--rm', '--entrypoint', 'node', IMAGE, '--eval', write);
      expect(stdout.trim()).toBe('10001');
      expect(stderr).toContain('EACCES');
    });

    it('does not start without ACCESS_POLICY and PUBLIC_URL, and names them', async () => {
      const { code, stderr } = await runOnce(IMAGE);
      expect(code).toBe(2);
      expect(stderr).toContain('ACCESS_POLICY is missing');
      expect(stderr).toContain('PUBLIC_URL is missing');
    });

    it('has the commands of the distributed profile', async () => {
      const { stdout } = await runOnce(IMAGE, '--help');
      for (const name of ['api', 'worker', 'health']) expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    });
  });

  describe('a container that runs as another user on a read-only root file system', () => {
    let url: string;

    beforeAll(async () => {
      const isRoot = process.getuid?.() === 0;
      chmodSync(data, isRoot ? 0o700 : 0o777);
      if (isRoot) chownSync(data, OTHER_USER, OTHER_USER);
      const settings = ['PUBLIC_URL=http://127.0.0.1:3000', 'ACCESS_POLICY=documented'].flatMap((setting) => ['--env', setting]);
      const place = ['--user', `${OTHER_USER}:${OTHER_USER}`, '--volume', `${data}:/data`, '--publish', '127.0.0.1::3000'];
      const begun = performance.now();
      const { code, stderr } = await run('run', '--detach', '--name', CONTAINER, ...HARDENED, ...place, ...settings, IMAGE);
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      const state = await eventually('a healthy container', stateOfContainer, 60_000);
      expect({ state, log: state === 'ended' ? (await run('logs', CONTAINER)).stderr : '' }).toEqual({ state: 'healthy', log: '' });
      printLine(`The image: healthy ${seconds(begun)} after the start of the container`);
      url = `http://${(await run('port', CONTAINER, '3000')).stdout.trim()}`;
    });

    it('runs as that user without capabilities', async () => {
      const { stdout } = await run('exec', CONTAINER, 'cat', '/proc/1/status');
      expect(stdout).toMatch(new RegExp(`^Uid:\\s+${OTHER_USER}\\b`, 'm'));
      expect(stdout).toMatch(/^CapEff:\s+0+$/m);
      expect(stdout).toMatch(/^NoNewPrivs:\s+1$/m);
    });

    it('runs the commands of the README', async () => {
      const shell = openShell(environment);
      const inContainer = `${command} exec ${CONTAINER} ${PROGRAM}`;
      const commands = commandsOf('README.md', 'Walk through it').map((line) =>
        line.replaceAll(PRINTED_ADDRESS, url).replace('npm run --silent petstore --', inContainer),
      );
      await walkThrough(shell, commands, README_WALK);
      await shell.close();
    });

    it('passes petstore health, and fails petstore health worker', async () => {
      const health = await run('exec', CONTAINER, ...PROGRAM.split(' '), 'health');
      expect(health).toMatchObject({ code: 0, stdout: 'live: http://127.0.0.1:3000/health/live\n' });
      expect((await run('exec', CONTAINER, ...PROGRAM.split(' '), 'health', 'worker')).code).toBe(1);
    });

    it('exits with 0 within a second of SIGTERM, and has logged only JSON', async () => {
      await run('kill', '--signal', 'TERM', CONTAINER);
      const { stdout } = await run('wait', CONTAINER);
      expect(stdout.trim()).toBe('0');
      const { stderr: log } = await run('logs', CONTAINER);
      const lines = log
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { readonly msg: string; readonly time: string });
      const timeOf = (text: string): number => Date.parse(lines.find(({ msg }) => msg === text)?.time ?? '');
      const ended = await run('inspect', '--format', '{{json .State.FinishedAt}}', CONTAINER);
      const [stopping, stopped] = [timeOf('stopping: finishing the accepted work'), timeOf('stopped')];
      const took = Date.parse(JSON.parse(ended.stdout) as string) - stopping;
      printLine(`The image: stopped ${stopped - stopping} ms and ended ${took} ms after SIGTERM`);
      expect(took).toBeLessThan(1_000);
    });
  });
});
