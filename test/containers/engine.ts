import { join } from 'node:path';
import { ROOT, startProgram, type ProgramResult } from '../servers/program.js';
import { catchServerMissing, type Missing } from '../servers/services/shared.js';
import { ServerMissing } from '../servers/services/real-server.js';

const SCRIPT = join(ROOT, 'test', 'containers', 'engine.sh');

/** A container engine that has the base image of deploy/Dockerfile. */
export type Engine = {
  /** Its command, for a shell. */
  readonly command: string;
  /** The variables that the command needs. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs the engine and waits for its end. */
  readonly run: (...words: readonly string[]) => Promise<ProgramResult>;
  /** Builds deploy/Dockerfile as this image, without pulling. */
  readonly build: (image: string) => Promise<ProgramResult>;
  /** Runs the health check of a container. */
  readonly isHealthy: (container: string) => Promise<boolean>;
};

/** The variables of this process: engine.sh needs those of npm, and docker those of its daemon. */
const environment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const runWords = async (words: readonly string[]): Promise<ProgramResult> => {
  const [command = '', ...others] = words;
  const program = startProgram(command, others, { env: environment() });
  const end = await program.ended;
  return { ...end, stdout: program.stdout(), stderr: program.stderr() };
};

const findEngine = async (): Promise<Engine> => {
  const { code, stdout, stderr } = await runWords([SCRIPT, 'find']);
  if (code !== 0) throw new ServerMissing(`there is no container engine: ${stderr.trim().split('\n').at(-1) ?? ''}`);
  const command = stdout.trim();
  const words = command.split(' ');
  const isPodman = command.endsWith('podman');
  const run = (...others: readonly string[]): Promise<ProgramResult> => runWords([...words, ...others]);
  // Podman's own format has no health checks, and its own network cannot reach every name server.
  const options = isPodman ? ['--format', 'docker', '--pull=never', '--network', 'host'] : [];
  return {
    command,
    environment: environment(),
    run,
    build: (image) => run('build', ...options, '--file', join(ROOT, 'deploy', 'Dockerfile'), '--tag', image, ROOT),
    // Podman runs health checks only with systemd, so it runs one here.
    isHealthy: async (container) =>
      isPodman
        ? (await run('healthcheck', 'run', container)).code === 0
        : (await run('inspect', '--format', '{{.State.Health.Status}}', container)).stdout.trim() === 'healthy',
  };
};

/** Finds or prepares a container engine. With CI=true a missing one is a failure. */
export const availableEngine = (): Promise<Engine | Missing> => catchServerMissing(findEngine());
