import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.js';

/** The nearest folder upwards that has a package.json: the repository's, from the sources as from what was built of them. */
const rootFrom = (folder: string): string => (existsSync(join(folder, 'package.json')) ? folder : rootFrom(dirname(folder)));

/** The repository's folder. */
export const ROOT = rootFrom(dirname(fileURLToPath(import.meta.url)));

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A running program that this process started: the only kind that is ever sent a signal. */
export type Program = {
  readonly pid: number;
  /** Everything it has said so far. */
  stdout(): string;
  stderr(): string;
  /** Sends a signal to it, or with `group` to all of its process group. */
  signal(name: NodeJS.Signals, to?: 'group'): void;
  write(text: string): void;
  readonly ended: Promise<Exit>;
};

export type ProgramOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Makes it the leader of its own process group. */
  readonly detached?: boolean;
  /** Where its output goes instead of being kept. */
  readonly stdout?: OutputTarget;
  readonly stderr?: OutputTarget;
};

/** A file descriptor, a socket that nobody reads, or a socket whose other end is closed. */
export type OutputTarget = number | 'unread' | 'closed';

const alive = new Map<number, Program>();

/** What programs need of this process's environment; nothing of it is a setting of the store. */
const KEPT = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'npm_config_cache'];

const environment = (extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(KEPT.map((name) => [name, process.env[name]])),
  ...extra,
});

/** Starts a program in the repository's folder (unless told another) and keeps what it says. */
export const startProgram = (command: string, args: readonly string[], options: ProgramOptions = {}): Program => {
  const { env = {}, cwd = ROOT, detached = false, stdout, stderr } = options;
  const pipeOr = (target: OutputTarget | undefined) => (typeof target === 'number' ? target : 'pipe');
  const child = spawn(command, [...args], { cwd, env: environment(env), detached, stdio: ['pipe', pipeOr(stdout), pipeOr(stderr)] });
  const said = { stdout: '', stderr: '' };
  const keep = (name: keyof typeof said, target: OutputTarget | undefined): void => {
    if (target === 'closed') child[name]?.destroy();
    else if (target !== 'unread') child[name]?.setEncoding('utf8').on('data', (text: string) => (said[name] += text));
  };
  keep('stdout', stdout);
  keep('stderr', stderr);
  // A program that ends early does not read what is written to it.
  child.stdin?.on('error', () => undefined);
  const pid = child.pid ?? 0;
  const program: Program = {
    pid,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    signal: (name, to) => {
      if (alive.has(pid)) process.kill(to === 'group' ? -pid : pid, name);
    },
    write: (text) => void child.stdin?.write(text),
    ended: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        alive.delete(pid);
        resolve({ code, signal });
      });
    }),
  };
  alive.set(pid, program);
  return program;
};

/** Ends every program that is still running, whatever became of its test. */
export const endPrograms = async (): Promise<void> => {
  const left = [...alive.values()];
  for (const program of left) program.signal('SIGKILL');
  await Promise.all(left.map(({ ended }) => ended));
};

/** How a program ended and what it said. */
export type Ended = Exit & { readonly stdout: string; readonly stderr: string };

/** Longer than any command takes here, shorter than the tests wait: a command that hangs is told by its name. */
const ENDS_WITHIN = 25_000;

/** Runs a program to its end, which must come soon. */
export const runProgram = async (command: string, args: readonly string[], options: ProgramOptions = {}): Promise<Ended> => {
  const program = startProgram(command, args, options);
  let exit: Exit | undefined;
  void program.ended.then((value) => (exit = value));
  const end = await eventually(`the end of ${command} ${args.join(' ')}`, () => exit, ENDS_WITHIN);
  return { ...end, stdout: program.stdout(), stderr: program.stderr() };
};
