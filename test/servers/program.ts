import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.js';

/** Returns the nearest folder with a package.json: the repository's folder, for this file and for its copy in dist. */
const rootFrom = (folder: string): string => (existsSync(join(folder, 'package.json')) ? folder : rootFrom(dirname(folder)));

/** The repository's folder. */
export const ROOT = rootFrom(dirname(fileURLToPath(import.meta.url)));

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A program that this process started. Signals are sent to no other programs. */
export type Program = {
  readonly pid: number;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
  /** Sends a signal to it, or with `group` to its process group. */
  signal(name: NodeJS.Signals, to?: 'group'): void;
  write(text: string): void;
  readonly ended: Promise<Exit>;
};

export type ProgramOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whether the program gets a process group of its own. */
  readonly detached?: boolean;
  /** Targets of the program's output. Output with a target is not collected, so `Program` returns none of it. */
  readonly stdout?: OutputTarget;
  readonly stderr?: OutputTarget;
};

/** A file descriptor; `unread`: a socket that is not read; `closed`: a socket whose other end is closed. */
export type OutputTarget = number | 'unread' | 'closed';

const alive = new Map<number, Program>();

/** The variables that programs inherit. None of them is a setting of the service. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'npm_config_cache'];

const environment = (extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
  ...extra,
});

/** Starts a program, by default in the repository's folder, and collects its output. */
export const startProgram = (command: string, args: readonly string[], options: ProgramOptions = {}): Program => {
  const { env = {}, cwd = ROOT, detached = false, stdout, stderr } = options;
  const pipeOr = (target: OutputTarget | undefined) => (typeof target === 'number' ? target : 'pipe');
  const child = spawn(command, [...args], { cwd, env: environment(env), detached, stdio: ['pipe', pipeOr(stdout), pipeOr(stderr)] });
  const output = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof output, target: OutputTarget | undefined): void => {
    if (target === 'closed') child[name]?.destroy();
    else if (target !== 'unread') child[name]?.setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  };
  collect('stdout', stdout);
  collect('stderr', stderr);
  // Ignores the error of a write to a program that has ended.
  child.stdin?.on('error', () => undefined);
  const pid = child.pid ?? 0;
  const program: Program = {
    pid,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
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

/** Kills every program that is still running, also after a failed test. */
export const endPrograms = async (): Promise<void> => {
  const left = [...alive.values()];
  for (const program of left) program.signal('SIGKILL');
  await Promise.all(left.map(({ ended }) => ended));
};

/** The exit and the output of a program. */
export type ProgramResult = Exit & { readonly stdout: string; readonly stderr: string };

/** Runs a program and waits for its end, for a limited time. */
export const runProgram = async (command: string, args: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> => {
  const program = startProgram(command, args, options);
  let exit: Exit | undefined;
  void program.ended.then((value) => (exit = value));
  const end = await eventually(`the end of ${command} ${args.join(' ')}`, () => exit);
  return { ...end, stdout: program.stdout(), stderr: program.stderr() };
};
