import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readVariables } from '../../deploy/deploy-files.js';
import { ROOT, startProgram, type ProgramResult, type ProgramOptions } from '../../servers/program.js';
import type { Missing } from '../../servers/services/shared.js';
import { printLine } from '../../print-line.js';

const ENGINE = join(ROOT, 'test', 'containers', 'engine.sh');
const IMAGE = 'petstore:drills';
const NAME = 'petstore-drills';

/** The APIs and workers, in the order in which a release replaces them. */
export const PROCESSES = ['worker-1', 'worker-2', 'api-1', 'api-2'] as const;

/** A project of Docker Compose: a copy of deploy/ with generated secrets. */
export type Project = {
  readonly name: string;
  /** The copy of deploy/. */
  readonly deploy: string;
  /** The variables of deploy/.env. */
  readonly variables: Readonly<Record<string, string>>;
  /** Runs Docker Compose. Rejects when it fails. */
  compose(...words: readonly string[]): Promise<string>;
  docker(...words: readonly string[]): Promise<string>;
  /** Runs a program in the network namespace from which the published ports of the containers are reachable. */
  inside(...words: readonly string[]): Promise<ProgramResult>;
  /** Runs a script of deploy/ with the project's variables. */
  script(name: string, ...words: readonly string[]): Promise<string>;
  /** Builds deploy/Dockerfile. Later calls of `compose` use this image. */
  build(tag: string): Promise<void>;
  container(service: string): string;
  /** Removes all containers, networks and volumes of the project, and the copy of deploy/. */
  close(): Promise<void>;
};

/** Returns the fixed addresses of the servers by service name. */
export const addresses = (): ReadonlyMap<string, string> => {
  const text = readFileSync(join(ROOT, 'test', 'containers', 'drills', 'compose.yaml'), 'utf8');
  return new Map([...text.matchAll(/^ {2}- ([\w-]+):([\d.]+)$/gm)].map(([, name = '', address = '']) => [name, address]));
};

const PASSED_ON = ['PETSTORE_CONTAINERS_CACHE', 'XDG_CACHE_HOME', 'DEBIAN_FRONTEND'];

const inherited = (): Record<string, string> =>
  Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));

/** Runs a program without a time limit, because builds and restores take minutes. */
export const runToEnd = async (command: string, args: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> => {
  const program = startProgram(command, args, options);
  const exit = await program.ended;
  return { ...exit, stdout: program.stdout(), stderr: program.stderr() };
};

/** Returns the standard output of a program that must succeed. */
const outputOf = (what: string, { code, stdout, stderr }: ProgramResult): string => {
  if (code !== 0) throw new Error(`${what} ended with ${code}: ${stderr.slice(-2_000)}${stdout.slice(-1_000)}`);
  return stdout.trim();
};

/** Starts the engine without pulling images. If the engine does not start, returns the reason. */
export const findEngine = async (): Promise<{ readonly script: string } | Missing> => {
  printLine('drills: starts the engine');
  const { code, stderr } = await runToEnd(ENGINE, ['start'], { env: inherited() });
  return code === 0 ? { script: ENGINE } : { missing: stderr.trim().split('\n').at(-1) ?? '' };
};

/** Copies deploy/ and generates its secrets. The engine must run. */
export const openProject = async (): Promise<Project> => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-drills-'));
  const deploy = join(folder, 'deploy');
  mkdirSync(deploy);
  cpSync(join(ROOT, 'deploy'), deploy, { recursive: true, filter: (path) => !/\/(secrets|\.env)$/.test(path) });
  const environment: Record<string, string> = {
    ...inherited(),
    COMPOSE: `${ENGINE} compose`,
    COMPOSE_PROJECT_NAME: NAME,
    COMPOSE_FILE: `${join(deploy, 'compose.yaml')}:${join(ROOT, 'test', 'containers', 'drills', 'compose.yaml')}`,
    DRILLS_IMAGE: IMAGE,
  };
  const engine = (...words: readonly string[]): Promise<ProgramResult> => runToEnd(ENGINE, words, { env: environment, cwd: deploy });
  const run = async (...words: readonly string[]): Promise<string> => outputOf(words.join(' '), await engine(...words));
  outputOf('prepare.sh', await runToEnd(join(deploy, 'prepare.sh'), []));
  // Removes the containers of an interrupted run.
  await engine('inside', 'docker', 'rm', '--force', `${NAME}-observer`);
  await engine('compose', 'down', '--volumes', '--timeout', '1');
  return {
    name: NAME,
    deploy,
    variables: readVariables(readFileSync(join(deploy, '.env'), 'utf8')),
    compose: (...words) => run('compose', ...words),
    docker: (...words) => run('inside', 'docker', ...words),
    inside: (...words) => engine('inside', ...words),
    script: async (name, ...words) => outputOf(name, await runToEnd(join(deploy, name), words, { env: environment, cwd: deploy })),
    async build(tag) {
      environment['DRILLS_IMAGE'] = `${IMAGE}-${tag}`;
      await run('build', `${IMAGE}-${tag}`);
    },
    container: (service) => `${NAME}-${service}-1`,
    async close() {
      await engine('compose', 'down', '--volumes', '--timeout', '10');
      await rm(folder, { recursive: true });
    },
  };
};
