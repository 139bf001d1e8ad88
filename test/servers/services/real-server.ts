import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../../eventually.js';
import { ROOT } from '../program.js';

const SCRIPT = join(ROOT, 'test', 'servers', 'services', 'services.sh');

/** The programs that the script installs, in the order in which it prints their paths. */
const INSTALLED = [
  'kafka',
  'mongod',
  'python',
  'fuzz',
  'generators',
  'python-generator',
  'openapi-generator',
  'oapi-codegen',
  'authlib',
  'spring',
] as const;

/** Milliseconds, including downloads. */
const INSTALLS_WITHIN = 180_000;

/** Thrown when a server cannot be installed on this machine. The message names what is missing. */
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
  /** Pauses the server with SIGSTOP. Resolves when every thread has stopped, so no later request gets a response. */
  readonly pause: () => Promise<void>;
  /** Resumes a paused server. */
  readonly resume: () => void;
  /** Resolves with the exit code when it has ended: 128 plus the signal's number when a signal ended it. */
  readonly ended: () => Promise<number>;
  /** Starts it again with the same data and address. Resolves when it is ready. */
  readonly restart: () => Promise<void>;
  /** Kills it and removes its data. */
  readonly close: () => Promise<void>;
};

export type Program = {
  /** The folder for the server's data and log. It must exist. */
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  /** Returns whether the server is ready. */
  readonly isReady: () => Promise<boolean>;
  /** Keeps the folder when this process is killed. By default it is removed. */
  readonly isKept?: boolean | undefined;
};

/** Where a server has its data, its log and its port: by default a new folder and a free port. */
export type ServerOptions = { readonly folder?: string; readonly port?: number } & Pick<Program, 'isKept'>;

/** Returns the path of a new folder for a server. The folder does not exist yet. */
export const newFolder = (name: string): string => join(tmpdir(), `petstore-${name}-${randomUUID()}`);

const run = promisify(execFile);

type Installed = (typeof INSTALLED)[number];

/** Returns the path of a program in the cache, which may not exist yet. */
export const pathInCache = async (name: Installed): Promise<string> =>
  (await run(SCRIPT, ['paths'])).stdout.trim().split('\n')[INSTALLED.indexOf(name)] ?? '';

/** Runs the script in its own process group, so that an abort also ends the download that the script has started. */
const runInstall = async (name: Installed, stop: AbortSignal): Promise<{ readonly code: number | null; readonly errors: string }> => {
  const child = spawn(SCRIPT, ['install', name], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const end = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGTERM'));
  if (stop.aborted) end();
  stop.addEventListener('abort', end);
  try {
    return await new Promise((resolve, reject) => child.once('error', reject).once('close', (code) => resolve({ code, errors })));
  } finally {
    stop.removeEventListener('abort', end);
  }
};

/** How often a failed installation is tried: a package registry may fail for a moment. */
const TRIES = 3;

/**
 * Installs a program into the cache and returns its path. `signal` aborts it. Rejects with ServerMissing if it fails
 * repeatedly.
 */
export const install = async (name: Installed, signal?: AbortSignal, tries = TRIES): Promise<string> => {
  const inTime = AbortSignal.timeout(INSTALLS_WITHIN);
  const { code, errors } = await runInstall(name, signal ? AbortSignal.any([signal, inTime]) : inTime);
  if (code === 0) return pathInCache(name);
  if (tries > 1 && signal?.aborted !== true) return install(name, signal, tries - 1);
  const reason = inTime.aborted
    ? `not installed within ${INSTALLS_WITHIN / 1000} seconds`
    : errors.trim() || `the installation exited with ${code}`;
  throw new ServerMissing(`${name} is missing: ${reason}`);
};

/** Returns the pid of the server in a folder, or null when it does not run. */
export const pidIn = (folder: string): number | null => {
  try {
    return Number(readFileSync(join(folder, 'pid'), 'utf8'));
  } catch {
    return null;
  }
};

/** Returns whether every thread has the state `T`, stopped. A signal stops the threads one by one. */
const isPaused = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) => /\) T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')));

/** Returns the last lines that a server logged. */
export const lastLogLines = (folder: string): string => readFileSync(join(folder, 'log'), 'utf8').split('\n').slice(-15).join('\n');

type GuardedProcess = {
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  /** Returns the promise `ended`, and keeps this process alive until the promise resolves. */
  readonly untilEnded: () => Promise<number>;
};

/** Starts a server that ends with this process, also when this process is killed. */
const launch = ({ folder, command, isKept = false }: Program): GuardedProcess => {
  // services.sh runs the server under a guard, which ends the server after this process. Ctrl-C ends only this process, because
  // the guard has its own session.
  const guard = spawn(SCRIPT, ['guard', ...(isKept ? ['--keep'] : []), folder, ...command], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  (guard.stdin as Socket).unref();
  const ended = new Promise<number>((resolve) => guard.once('exit', (code) => resolve(code ?? 1)));
  return {
    ended,
    untilEnded() {
      guard.ref();
      return ended;
    },
  };
};

/** Starts a server and waits until it is ready. Ends it if it does not become ready. */
export const startRealServer = async (program: Program): Promise<RealServer> => {
  const { folder, isReady } = program;
  let launched: GuardedProcess;
  const start = async (): Promise<void> => {
    let hasEnded = false;
    launched = launch(program);
    void launched.ended.then(() => (hasEnded = true));
    const outcome = await eventually(`the server in ${folder}`, async () =>
      hasEnded ? 'ended' : pidIn(folder) !== null && (await isReady()) ? 'ready' : null,
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
    await eventually(`the end of the server in ${folder}`, () => pidIn(folder) === null);
    await launched.untilEnded();
  };
  try {
    await start();
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
  return {
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    pid,
    async pause() {
      signal('SIGSTOP');
      await eventually(`the pause of the server in ${folder}`, () => isPaused(pid()));
    },
    resume: () => signal('SIGCONT'),
    ended: () => launched.untilEnded(),
    restart: start,
    close: () => end('SIGKILL').then(() => rmSync(folder, { recursive: true, force: true })),
  };
};
