import { execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../../eventually.js';
import { ROOT } from '../program.js';

const SCRIPT = join(ROOT, 'test', 'servers', 'services', 'services.sh');

/** The programs of the script, in the order of the paths that it prints. */
const INSTALLED = ['kafka', 'mongod', 'python', 'fuzz', 'generators', 'python-generator'] as const;

/** Milliseconds, including downloads. */
const INSTALLS_WITHIN = 180_000;
const STARTS_WITHIN = 60_000;
const ENDS_WITHIN = 30_000;

/** A server cannot be installed on this machine. The message names what is missing. */
export class ServerMissing extends Error {
  override readonly name = 'ServerMissing';
}

/** A server in its own process. Its data remain until `close`. */
export type RealServer = {
  /** Kills it with SIGKILL. Resolves when it has ended. */
  readonly kill: () => Promise<void>;
  /** Stops it with SIGTERM. Resolves when it has ended. */
  readonly stop: () => Promise<void>;
  /** Its process id while it runs. */
  readonly pid: () => number;
  /** Stops every thread with SIGSTOP; resolves when none runs, so that no later request is answered. */
  readonly pause: () => Promise<void>;
  /** Resumes a paused server. */
  readonly resume: () => void;
  /** Starts it again with the same data and address. Resolves when it is ready. */
  readonly restart: () => Promise<void>;
  /** Kills it and removes its data. */
  readonly close: () => Promise<void>;
};

export type Program = {
  /** The folder of its data and its output, which exists. */
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  /** Returns whether the server is ready. */
  readonly isReady: () => Promise<boolean>;
};

const run = promisify(execFile);

/** Installs a program into the cache and returns its path. Rejects with ServerMissing. */
export const install = async (name: (typeof INSTALLED)[number]): Promise<string> => {
  try {
    await run(SCRIPT, ['install', name], { timeout: INSTALLS_WITHIN });
    const paths = (await run(SCRIPT, ['paths'])).stdout.trim().split('\n');
    return paths[INSTALLED.indexOf(name)] ?? '';
  } catch (error) {
    const output = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new ServerMissing(`${name} is missing: ${output || String(error)}`);
  }
};

/** Returns the pid of the server in a folder, or null when it does not run. */
export const pidIn = (folder: string): number | null => {
  try {
    return Number(readFileSync(join(folder, 'pid'), 'utf8'));
  } catch {
    return null;
  }
};

/** Whether every thread is stopped (`T` in `pid (name) state …`). A signal stops them one by one. */
const isPaused = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) => /\) T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')));

const lastLogLines = (folder: string): string => readFileSync(join(folder, 'log'), 'utf8').split('\n').slice(-15).join('\n');

type GuardedProcess = {
  readonly ended: Promise<void>;
  /** The same promise. It also keeps this process alive until the end. */
  readonly untilEnded: () => Promise<void>;
};

/** Starts a server that ends with this process, also when this process is killed. */
const launch = ({ folder, command }: Program): GuardedProcess => {
  // In its own session Ctrl-C does not reach the server. It ends with the tests.
  const guard = spawn(SCRIPT, ['guard', folder, ...command], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.unref();
  (guard.stdin as Socket).unref();
  const ended = new Promise<void>((resolve) => guard.once('exit', () => resolve()));
  return {
    ended,
    untilEnded() {
      guard.ref();
      return ended;
    },
  };
};

/** Starts a server and waits until it is ready. */
export const startRealServer = async (program: Program): Promise<RealServer> => {
  const { folder, isReady } = program;
  let launched: GuardedProcess;
  const start = async (): Promise<void> => {
    let hasEnded = false;
    launched = launch(program);
    void launched.ended.then(() => (hasEnded = true));
    const outcome = await eventually(
      `the server in ${folder}`,
      async () => (hasEnded ? 'ended' : pidIn(folder) !== null && (await isReady()) ? 'ready' : null),
      STARTS_WITHIN,
    );
    if (outcome === 'ended') throw new Error(`the server in ${folder} ended at its start:\n${lastLogLines(folder)}`);
  };
  const signal = (name: NodeJS.Signals): void => {
    const pid = pidIn(folder);
    if (pid !== null) process.kill(pid, name);
  };
  const pid = (): number => {
    const running = pidIn(folder);
    if (running === null) throw new Error(`the server in ${folder} does not run`);
    return running;
  };
  const end = async (name: NodeJS.Signals): Promise<void> => {
    signal(name);
    await eventually(`the end of the server in ${folder}`, () => pidIn(folder) === null, ENDS_WITHIN);
    await launched.untilEnded();
  };
  await start();
  return {
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    pid,
    async pause() {
      signal('SIGSTOP');
      await eventually(`the pause of the server in ${folder}`, () => isPaused(pid()), ENDS_WITHIN);
    },
    resume: () => signal('SIGCONT'),
    restart: start,
    close: () => end('SIGKILL').then(() => rmSync(folder, { recursive: true, force: true })),
  };
};
