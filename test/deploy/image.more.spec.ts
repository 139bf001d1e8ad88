import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { waitUntilReady } from '../servers/process.js';
import { endPrograms, ROOT, runProgram, startProgram } from '../servers/program.js';
import { environmentOf, readDockerfile, lastInstruction, wordsOf } from './dockerfile.js';
import { bytesUnder, makeReadOnly, runDockerfile } from './run-dockerfile.js';

// Every test runs other programs, which can take long.
jest.setTimeout(60_000);

/** Milliseconds: two installations and a compilation. */
const BUILT_WITHIN = 300_000;
const MEBIBYTE = 1_048_576;

const dockerfile = readDockerfile(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8'));
const project = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
const [user = '', group = ''] = lastInstruction(dockerfile, 'USER').split(':');

let folder: string;
let root: string;
let app: string;
let node: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-image-'));
  chmodSync(folder, 0o755);
  root = await runDockerfile(dockerfile, folder);
  app = join(root, 'app');
  // The base image contains Node. The image's user may not have access to this machine's Node.
  node = join(root, 'usr/local/bin/node');
  mkdirSync(dirname(node), { recursive: true });
  copyFileSync(process.execPath, node);
  await makeReadOnly(app);
}, BUILT_WITHIN);

afterAll(async () => {
  await endPrograms();
  await rm(folder, { recursive: true, force: true });
});

const inApp = (): readonly string[] => readdirSync(app, { recursive: true, encoding: 'utf8' });

/** Runs Node as the image's user with the rights of the container. Without root, as the current user. */
const asImageUser = (words: readonly string[]): readonly [string, readonly string[]] => {
  if (process.getuid?.() !== 0) return [node, words];
  const limits = ['--reuid', user, '--regid', group, '--clear-groups', '--bounding-set', '-all', '--no-new-privs'];
  return ['setpriv', [...limits, node, ...words]];
};

/** The settings of the image, with the data folder below this root. */
const settings = (extra: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
  const env = environmentOf(dockerfile);
  return { ...env, DATA_DIR: join(root, env['DATA_DIR'] ?? ''), ...extra };
};

/** The settings of an operator, with a free port on loopback. */
const OPERATOR_SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  PUBLIC_URL: 'https://pets.example.com',
  ACCESS_POLICY: 'strict',
  LOG_LEVEL: 'warn',
};

const [, ...entrypoint] = wordsOf(lastInstruction(dockerfile, 'ENTRYPOINT'));
const [healthNode, ...healthCheck] = wordsOf(lastInstruction(dockerfile, 'HEALTHCHECK'));

describe('the image', () => {
  it('contains the Node version of the tests', () => {
    expect(dockerfile.args.get('NODE_VERSION')).toBe(project.dependencies['node']);
    expect(dockerfile.stages.map(({ image }) => image)).toEqual(
      dockerfile.stages.map(() => `node:${process.version.slice(1)}-bookworm-slim`),
    );
  });

  it('runs as an unprivileged user', () => {
    expect([Number(user), Number(group)]).toEqual([10001, 10001]);
  });

  it('contains the program and its dependencies, without tests and tools', () => {
    const files = inApp();
    expect(files).toEqual(
      expect.arrayContaining(['dist/apps/petstore/main.js', 'node_modules/fastify/package.json', 'package.json', 'LICENSE']),
    );
    expect(files.filter((file) => /^dist\/(?!apps|libs)/.test(file))).toEqual([]);
    expect(files.filter((file) => /^dist\/.*(\.spec|\.fixtures|testing)\b/.test(file))).toEqual([]);
    expect(files.filter((file) => /\.(map|d\.ts)$/.test(file))).toEqual([]);
    for (const tool of ['typescript', 'jest', 'eslint', '@swc/core', 'node', '.bin'])
      expect(existsSync(join(app, 'node_modules', tool))).toBe(false);
  });

  it('is small', () => expect(bytesUnder(app)).toBeLessThan(80 * MEBIBYTE));

  it('does not let its user write to the program', async () => {
    const write = `require('node:fs').writeFileSync(process.argv[1], '')`;
    const places = ['.', 'dist', 'node_modules/fastify'].map((place) => join(app, place, 'written'));
    for (const place of places) expect((await runProgram(...asImageUser(['-e', write, place]))).stderr).toContain('EACCES');
  });

  it('does not start with its own settings alone, and names the missing ones', async () => {
    const { code, stderr } = await runProgram(...asImageUser([...entrypoint, 'start']), { cwd: app, env: settings() });
    expect(code).toBe(2);
    expect(stderr).toContain('ACCESS_POLICY is missing');
    expect(stderr).toContain('PUBLIC_URL is missing');
  });

  it('serves as its user from a read-only tree, is healthy, and stops gracefully', async () => {
    const program = startProgram(...asImageUser([...entrypoint, ...wordsOf(lastInstruction(dockerfile, 'CMD'))]), {
      cwd: app,
      env: settings(OPERATOR_SETTINGS),
    });
    const store = await waitUntilReady(program);
    expect((await fetch(`${store.url}/health/ready`)).status).toBe(200);
    expect(await health(new URL(store.url).port)).toBe(0);
    expect(await store.stop()).toEqual({ code: 0, signal: null });
    expect(await health(new URL(store.url).port)).toBe(1);
    expect(existsSync(join(root, 'data/petstore.sqlite'))).toBe(true);
  });

  it('has the commands of the distributed profile', async () => {
    const { stdout } = await runProgram(...asImageUser([...entrypoint, '--help']), { cwd: app, env: settings() });
    expect(stdout).toMatch(/^ {2}api\b/m);
    expect(stdout).toMatch(/^ {2}worker\b/m);
  });
});

/** Runs the image's health check and returns its exit code. */
const health = async (port: string): Promise<number | null> => {
  expect(healthNode).toBe('node');
  return (await runProgram(...asImageUser(healthCheck), { cwd: app, env: settings({ PORT: port }) })).code;
};
