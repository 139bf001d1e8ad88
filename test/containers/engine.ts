import { join } from 'node:path';
import { ROOT, startProgram, type ProgramResult } from '../servers/program.js';
import { catchProgramMissing, type Missing } from '../servers/services/shared.js';
import { ServerMissing } from '../servers/services/real-server.js';

const SCRIPT = join(ROOT, 'test', 'containers', 'engine.sh');

/** A container engine that has the base image of deploy/Dockerfile. */
export type Engine = {
  /** The shell command of the engine. */
  readonly command: string;
  /** The environment variables for the command. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs a command of the engine and waits until it exits. */
  readonly run: (...words: readonly string[]) => Promise<ProgramResult>;
  /** Builds deploy/Dockerfile as this image, without pulling. */
  readonly build: (image: string) => Promise<ProgramResult>;
  /** Runs the health check of a container. */
  readonly isHealthy: (container: string) => Promise<boolean>;
};

/** Returns the environment of this process. engine.sh needs npm's variables, and docker needs those that name its daemon. */
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
  // Podman's default image format has no health checks. Containers in its default network may not reach the DNS server.
  const options = isPodman ? ['--format', 'docker', '--pull=never', '--network', 'host'] : [];
  return {
    command,
    environment: environment(),
    run,
    build: (image) => run('build', ...options, '--file', join(ROOT, 'deploy', 'Dockerfile'), '--tag', image, ROOT),
    // Podman schedules health checks with systemd, which may be missing. So this function runs the check.
    isHealthy: async (container) =>
      isPodman
        ? (await run('healthcheck', 'run', container)).code === 0
        : (await run('inspect', '--format', '{{.State.Health.Status}}', container)).stdout.trim() === 'healthy',
  };
};

/** Finds or prepares a container engine. If that fails, returns the reason, also if CI=true is set. */
export const availableEngine = (): Promise<Engine | Missing> => catchProgramMissing(findEngine());
